"""One function of an author's, called in a box of its own: what it gives, or how it came to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from steelyard.grading.record import one_line
from steelyard.grading.words import how_it_ended
from steelyard.sandbox.box import Box
from steelyard.sandbox.inside import values
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

_LONGEST_REPLY = 1024 * 1024
_LONGEST_NAME = 80


class Function(NamedTuple):
    """The source, the name in it that is called, with which texts, and the files that it finds beside it."""

    source: str
    name: str
    args: tuple[str, ...]
    files: Mapping[str, bytes]


class Gave(NamedTuple):
    """What the function gave, as plain data."""

    value: Any


class Failed(NamedTuple):
    """Why there is no value: ``why`` is for everybody, ``said`` are the function's own words.

    These may quote what it was given, which is the truth as well, so they are for its author and for no record.
    """

    why: str
    said: str = ""


def call_function(function: Function, sandbox: Sandbox, limits: Limits) -> Gave | Failed:
    """What the function gives; a SandboxError only where the box itself failed us."""
    box = sandbox.start(Job(worker="function", files=function.files), limits)
    try:
        loading = {"source": function.source, "entry_point": function.name, "alternatives": []}
        loaded = _ask(box, {"load": loading}, "loaded")
        if isinstance(loaded, Failed):
            return loaded
        given = _ask(
            box,
            {"call": 1, "name": function.name, "args": list(function.args), "kwargs": {}},
            "done",
        )
        outcome = box.finish()
    finally:
        box.stop()
    if outcome.limit is not None or outcome.violation:
        return Failed(how_it_ended(outcome))
    return given if isinstance(given, Failed) else _read(given.value.get("value"))


def _ask(box: Box, message: dict[str, Any], wanted: str) -> Gave | Failed:
    box.send(values.dumps(message))
    reply = box.receive()
    if reply is None:
        return Failed(how_it_ended(box.finish()))
    try:
        said = values.loads(reply) if len(reply) <= _LONGEST_REPLY else {}
    except ValueError:
        said = {}
    if wanted in said:
        return Gave(said)
    failed = said.get("failed")
    if not isinstance(failed, dict):
        return Failed("it gave no answer")
    name = one_line(str(failed.get("type")), _LONGEST_NAME)
    return Failed(name, one_line(f"{name}: {failed.get('text') or ''}".removesuffix(": "), 300))


def _read(value: Any) -> Gave | Failed:
    try:
        return Gave(values.decode(value))
    except (ValueError, RecursionError):
        return Failed("it gave something that is no plain data")
