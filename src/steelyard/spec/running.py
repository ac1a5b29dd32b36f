"""Specs whose dimensions run programs: the sandbox, and what each of these dimensions needs of it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import msgspec

from steelyard.sandbox.protocol import Sandbox
from steelyard.scoring.desk import Desk
from steelyard.scoring.script import Script, read_script, score_by_script
from steelyard.scoring.testing import score_tests
from steelyard.spec.model import Dimension, Spec


def runs_programs(spec: Spec) -> bool:
    """Whether nothing can be said by this spec without a sandbox."""
    return any(dimension.sandboxed for dimension in spec.dimensions)


def sandbox_for(spec: Spec, given: Sandbox | None) -> Sandbox | None:
    """The sandbox that the spec needs: the given one, else the default one; none if it runs nothing.

    Without a sandbox there is a SandboxError, before anything is scored.
    """
    if not runs_programs(spec):
        return None
    if given is not None:
        return given
    from steelyard.sandbox.opening import default_sandbox

    return default_sandbox()


def equip(spec: Spec, sandbox: Sandbox | None) -> Spec:
    """The spec with the sandbox in which its programs run; dimensions that read the same run share it."""
    if sandbox is None:
        return spec
    desk = Desk(sandbox)
    scripts = {name: one for one in scripts_of(spec) for name in one.names}
    dimensions = tuple(
        msgspec.structs.replace(d, run=_equipped(d, desk, scripts)) if d.sandboxed else d
        for d in spec.dimensions
    )
    return msgspec.structs.replace(spec, dimensions=dimensions)


def _equipped(dimension: Dimension, desk: Desk, scripts: dict[str, Script]) -> Callable[..., Any]:
    if dimension.reads == "submission":
        name = dimension.name
        return functools.partial(score_by_script, script=scripts[name], name=name, desk=desk)
    if dimension.reads == "program":
        return functools.partial(score_tests, desk=desk, **dimension.params)
    return functools.partial(dimension.run, sandbox=desk.sandbox)


def scripts_of(spec: Spec) -> list[Script]:
    """The different scripts of a spec, each with the names of all dimensions that it scores."""
    names: dict[tuple[Any, Any], list[str]] = {}
    for d in spec.dimensions:
        if d.reads == "submission":
            read = read_script(d.params["script"], d.params.get("limits"), ())
            names.setdefault((read.source, read.limits), []).append(d.name)
    return [Script(source, limits, tuple(scored)) for (source, limits), scored in names.items()]
