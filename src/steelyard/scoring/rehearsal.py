"""A script tried out under other circumstances, to see whether it gives the same points."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from steelyard.grading.words import how_it_ended
from steelyard.sandbox.job import Job
from steelyard.sandbox.protocol import Sandbox, run
from steelyard.scoring.script import ENTRY, FILES, Points, Script, failure, read_points

_RESULT = "scores.json"


class Circumstances(msgspec.Struct, frozen=True, kw_only=True):
    """What must not matter: the environment, the clock, and the order in which the files were written."""

    name: str
    env: Mapping[str, str]
    clock: Mapping[str, float]
    reverse: bool = False


@cache
def circumstances() -> tuple[Circumstances, ...]:
    """Those that every script is tried under."""
    data = (files("steelyard") / "data" / "rehearsals.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Circumstances, ...])


def rehearse(
    script: Script, submission: bytes, truth: bytes, sandbox: Sandbox, under: Circumstances
) -> dict[str, Points]:
    """The points that the script gives under the circumstances; an EngineError where it gives none.

    A prepared interpreter has its hash seed already, so this run gets a new one, and what the script gives is
    collected as a file: nothing that was submitted runs here, so nobody else could have written it.
    """
    settings = json.dumps(
        {"clock": dict(under.clock), "entry": ENTRY, "args": FILES, "result": _RESULT}
    )
    given = [
        *zip(FILES, (submission, truth), strict=True),
        ("settings.json", settings.encode()),
        ("driver.py", _driver()),
        ("script.py", script.source.encode()),
    ]
    ordered = dict(reversed(given) if under.reverse else given)
    job = Job(argv=("python3", "driver.py"), files=ordered, env=dict(under.env), collect=(_RESULT,))
    outcome = run(sandbox, job, script.limits)
    if outcome.exit_code != 0 or outcome.limit is not None:
        last = outcome.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise failure(how_it_ended(outcome), "" if outcome.limit else last)
    return read_points(_read(outcome.files.get(_RESULT)), script.names)


def _read(content: bytes | None) -> Any:
    if content is None:
        raise failure("it gave no scores")
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise failure("it gave something that is no plain data") from None


@cache
def _driver() -> bytes:
    return (files("steelyard.scoring") / "rehearsal_driver.py").read_bytes()
