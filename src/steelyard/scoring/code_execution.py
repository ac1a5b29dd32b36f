"""Code that is scored by running its test, in a sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from steelyard.errors import SandboxError, SpecError
from steelyard.grading.assemble import Reading, readings
from steelyard.grading.legacy import Examined, LegacyTest, examine
from steelyard.grading.prompt import Prompt
from steelyard.grading.record import excerpt
from steelyard.reading.found import Trace
from steelyard.registry import SCORERS
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.opening import shared_sandbox
from steelyard.sandbox.protocol import Sandbox
from steelyard.score import Score, full, unscored, zero
from steelyard.scoring.suite import read_limits
from steelyard.scoring.types import ScorerInput


@SCORERS.register("code_sandbox", version="2", needs="nothing")
def code_sandbox(
    sample: ScorerInput,
    *,
    sandbox: Sandbox | str | None = None,
    limits: Limits | Mapping[str, Any] | None = None,
    timeout: float | None = None,
    trace: Trace | None = None,
) -> Score:
    r"""The code in the response passes its test, which runs apart from it, in a sandbox.

    The metadata has ``_test`` (asserts, or a function ``check(candidate)``), ``entry_point`` or ``_entry_point`` (else
    the target is it), and may have ``_prompt``, the code that the response repeats or continues. ``sandbox`` is one that
    is open, or the name of one; by default it is bubblewrap. ``timeout`` is short for the limit ``wall_s``.

    >>> sample = ScorerInput(
    ...     response="```python\ndef add(a, b):\n    return a + b\n```", target="add",
    ...     metadata={"_prompt": "def add(a, b):\n", "_test": "assert add(1, 2) == 3", "entry_point": "add"})
    >>> dict(code_sandbox(sample))
    {'correct': True, 'extracted': 'def add(a, b):\n    return a + b'}
    """
    allowed = _limits(limits, timeout)
    where = sandbox if sandbox is not None and not isinstance(sandbox, str) else None
    test = _test(sample)
    found = readings(sample.response, test.prompt, test.entry_point)
    if not found:
        return zero(
            "there is no code in the response", extracted=None, detail={"verdict": "no_result"}
        )
    if trace is not None:
        trace.add(
            "code", f"{len(found)} reading(s) of the response are tried in order", found[0].span
        )
    try:
        opened = where or _opened(sandbox if isinstance(sandbox, str) else "bubblewrap")
        examined = examine(test, [reading.source for reading in found], opened, allowed)
    except SandboxError as broken:
        return unscored(str(broken), extracted=found[0].code, detail={"verdict": "sandbox_error"})
    if trace is not None:
        trace.add("test", f"{examined.way}: {examined.verdict}: {examined.reason}")
    return _score(examined, found, opened)


def code_sandbox_many(
    samples: Iterable[ScorerInput],
    *,
    workers: int | None = None,
    sandbox: Sandbox | str | None = None,
    limits: Limits | Mapping[str, Any] | None = None,
    timeout: float | None = None,
) -> Iterator[Score]:
    """The Score of each sample, in order, with as many under way as there are cores."""
    from steelyard.engine.threads import (
        in_threads,
    )  # with processes behind it, which few commands need
    from steelyard.engine.types import usable_cores

    score = partial(code_sandbox, sandbox=sandbox, limits=limits, timeout=timeout)
    for _, found in in_threads(score, samples, workers or usable_cores(), "steelyard-code"):
        yield found


def ready(*, sandbox: Any = None, limits: Any = None, timeout: Any = None) -> None:
    """Refuses, before the first sample, parameters that cannot be used and a sandbox that cannot be had."""
    _limits(limits, timeout)
    if sandbox is None or isinstance(sandbox, str):
        try:
            _opened(sandbox or "bubblewrap")
        except SandboxError as missing:
            raise SpecError(str(missing), path="sandbox") from None


code_sandbox.ready = ready  # type: ignore[attr-defined]


def _score(examined: Examined, found: tuple[Reading, ...], sandbox: Sandbox) -> Score:
    used = found[examined.used] if 0 <= examined.used < len(found) else found[0]
    detail: dict[str, Any] = {
        "verdict": examined.verdict,
        "way": examined.way,
        "assertions": examined.assertions,
    }
    if examined.why:
        detail["why"] = examined.why
        detail["warning"] = f"graded by the weaker way: {examined.why}"
    for name, output in (("stdout", examined.stdout), ("stderr", examined.stderr)):
        if output:
            detail[name] = excerpt(output)
    detail["sandbox"] = sandbox.describe()
    make = full if examined.verdict == "accepted" else zero
    reason = (
        examined.reason
        if examined.verdict == "accepted"
        else f"{_words(examined.verdict)}: {examined.reason}"
    )
    if "warning" in detail:
        # Where a reader sees the reason, he sees this too, whichever door he came by.
        reason = f"{reason} ({detail['warning']})"
    return make(reason, extracted=used.code, span=used.span, detail=detail)


def _words(verdict: str) -> str:
    return verdict.replace("_", " ")


def _test(sample: ScorerInput) -> LegacyTest:
    """The sample's test; a SpecError says what an author has left out, a DataError what cannot be used."""
    about = sample.metadata
    source, prompt = about.get("_test"), about.get("_prompt") or ""
    source = _as_list(source)
    if isinstance(source, (list, tuple)) and all(isinstance(part, str) for part in source):
        source = "\n".join(source)
    if not isinstance(source, str) or not source.strip():
        raise SpecError("code_sandbox needs a test: metadata['_test']", path="metadata._test")
    if not isinstance(prompt, str):
        raise SpecError("the prompt is no text", path="metadata._prompt")
    entry = (
        about.get("entry_point") or about.get("_entry_point") or _from_target(sample.target, prompt)
    )
    if not isinstance(entry, str):
        raise SpecError("the entry point is no text", path="metadata.entry_point")
    return LegacyTest(source=source, entry_point=entry.strip(), prompt=prompt).checked()


def _as_list(source: Any) -> Any:
    """Some collections keep a list of assertions as the JSON text of it."""
    if not isinstance(source, str) or not source.lstrip().startswith("["):
        return source
    try:
        return msgspec.json.decode(source, type=list[str])
    except msgspec.DecodeError:
        return source


def _from_target(target: str, prompt: str) -> str:
    """The entry point where the metadata name none: the target, or the one function that the prompt leaves open."""
    name = target.strip()
    if name and all(part.isidentifier() for part in name.split(".")):
        return name
    open_ones = Prompt.read(prompt, "").stubs
    if len(open_ones) != 1:
        raise SpecError(
            "code_sandbox needs the function's name: metadata['entry_point']",
            path="metadata.entry_point",
        )
    return open_ones[0]


def _limits(limits: Limits | Mapping[str, Any] | None, timeout: float | None) -> Limits:
    if limits is not None and not isinstance(limits, Limits):
        limits = read_limits(limits)
    found = limits or Limits()
    if timeout is not None:
        found = msgspec.structs.replace(found, wall_s=timeout)
    return found.checked()


def _opened(name: str) -> Sandbox:
    """The sandbox of that name, which this process shares; running without one takes an object that says so."""
    if name == "none":
        raise SpecError(
            "code is not run without a sandbox unless one says so on purpose", path="sandbox"
        )
    return shared_sandbox(name)
