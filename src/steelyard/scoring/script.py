"""Scores by a script of the author's own, run in a box apart from everything that was submitted.

The script is Python and defines ``score(submission, truth)``, which is called with the names of two JSON files and returns
an object: for each dimension its points, 0 to 1000, or ``{"score": points, "reason": "one sentence"}``. What it returns
goes over the private channel; what it prints is nothing. The submission is data for it, and never part of its program.
A script that gives anything else, fails, or runs out of a limit has said nothing: that is nobody's zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from steelyard.errors import EngineError, SpecError
from steelyard.grading.call import Failed, Function, call_function
from steelyard.grading.record import one_line
from steelyard.grading.trees import parse
from steelyard.primitives.values import Unreadable, describe, key
from steelyard.registry import SCORERS
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox
from steelyard.score import Score, exact, zero
from steelyard.scoring.desk import Desk
from steelyard.scoring.suite import read_limits
from steelyard.scoring.types import ScorerInput

ENTRY = "score"
FILES = ("submission.json", "truth.json")
FULL_MARKS = 1000
USUAL: dict[str, Any] = {"wall_s": 30.0}
_MOST_BYTES = 16 * 1024 * 1024
_LONGEST_REASON = 500
_ENCODER = msgspec.json.Encoder(decimal_format="number")


class Script(NamedTuple):
    """The source, the limits of a run, and the names that it has to score: all of them, and no others."""

    source: str
    limits: Limits
    names: tuple[str, ...]


class Points(NamedTuple):
    """What a script gives to one dimension, exactly as it gave it, and its reason."""

    points: Fraction
    reason: str = ""


@SCORERS.register("script", reads="submission", needs="nothing")
def script(sample: ScorerInput, *, script: Any, limits: Any = None) -> Score:
    """The points that a script of your own gives, run in a sandbox of its own.

    In a spec it serves every dimension that names it, and reads the whole submission. Over rows, the submission is the
    response, the truth is the target, and the one thing to score is ``score``.

    >>> own = "def score(submission, truth):\\n    return {'score': 10 * len(open(submission).read())}"
    >>> script(ScorerInput(response="seven"), script={"source": own}).points
    70.0
    """
    read = read_script(script, limits, (ENTRY,))
    if not sample.response.strip():
        return zero("there is no response")
    from steelyard.sandbox.opening import default_sandbox

    return score_by_script(
        sample.response, sample.target, script=read, name=ENTRY, desk=Desk(default_sandbox())
    )


def read_script(raw: Any, limits: Any, names: Sequence[str]) -> Script:
    """The script that a parameter is; a SpecError that names the parameter."""
    source = raw.get("source") if isinstance(raw, Mapping) else raw
    if not isinstance(source, str) or not source.strip():
        raise SpecError(
            f'must be {{"file": …}} or {{"source": …}}, not {describe(raw)}', path="script"
        )
    try:
        parse(source)
    except SyntaxError as wrong:
        raise SpecError(
            f"is no Python: {wrong.msg} in line {wrong.lineno}", path="script"
        ) from None
    except (ValueError, RecursionError, MemoryError) as wrong:
        raise SpecError(f"is no Python: {type(wrong).__name__}", path="script") from None
    return Script(source, read_limits({} if limits is None else limits, **USUAL), tuple(names))


def score_by_script(got: Any, want: Any, *, script: Script, name: str, desk: Desk) -> Score:
    """What the script gives to one dimension; an EngineError where it gives nothing that counts."""
    truth = as_json(want)
    if truth is None:
        raise SpecError(f"the ground truth cannot be written as JSON: {describe(want)}")
    submission = as_json(got)
    if submission is None:
        return zero("the submission cannot be written as JSON")
    if len(submission) > min(_MOST_BYTES, script.limits.disk_mb << 18):
        return zero(
            f"the submission has {len(submission):,} bytes, which is more than the script can be given"
        )
    given = desk.once(
        ("script", script, submission, truth),
        lambda: attempt(script, submission, truth, desk.sandbox),
    )
    if isinstance(given, EngineError):
        raise given
    found = given[name]
    value = float(found.points / FULL_MARKS)
    return Score(
        value=value,
        correct=value == 1,
        reason=found.reason or f"the script gives {float(found.points):g}",
        detail={"sandbox": desk.sandbox.describe()},
    )


def as_json(value: Any) -> bytes | None:
    """The value as JSON, or None where it is none."""
    try:
        key(value)
        return _ENCODER.encode(value)
    except (Unreadable, RecursionError, ValueError, TypeError, OverflowError):
        return None


def attempt(
    script: Script, submission: bytes, truth: bytes, sandbox: Sandbox
) -> dict[str, Points] | EngineError:
    """What the script gives, or why it gave nothing."""
    try:
        return run_script(script, submission, truth, sandbox)
    except EngineError as failed:
        return failed


def run_script(
    script: Script, submission: bytes, truth: bytes, sandbox: Sandbox
) -> dict[str, Points]:
    """The points for every name; an EngineError where the script gives anything else."""
    files = dict(zip(FILES, (submission, truth), strict=True))
    given = call_function(Function(script.source, ENTRY, FILES, files), sandbox, script.limits)
    if isinstance(given, Failed):
        raise failure(given.why, given.said)
    return read_points(given.value, script.names)


class ScriptError(EngineError):
    """The script, and not the submission, is at fault; ``said`` may quote the truth, and is for the author alone."""

    said: str = ""


def failure(why: str, said: str = "") -> ScriptError:
    """The error that says why the script gave nothing, and keeps its own words apart from that."""
    failed = ScriptError(f"the evaluator failed: {one_line(why, 300)}")
    failed.said = one_line(said, 300)
    return failed


def for_author(failed: EngineError) -> str:
    """What the author of a script is told: the script's own words too."""
    said = failed.said if isinstance(failed, ScriptError) else ""
    return f"{failed} ({said})" if said else str(failed)


def read_points(given: Any, names: Sequence[str]) -> dict[str, Points]:
    """The points for each name, when the object has those names and no others; else an EngineError.

    >>> read_points({"style": 812.5}, ["style"])["style"].points
    Fraction(1625, 2)
    """
    if not isinstance(given, dict):
        raise failure("what it gave is not an object of points", describe(given))
    for name in names:
        if name not in given:
            raise failure(f"it gave no points for {name!r}")
    for name in given:
        if name not in names:
            raise failure(
                "it gave points for something which is not a dimension that it scores",
                describe(name),
            )
    return {name: _points(name, given[name]) for name in names}


def _points(name: str, given: Any) -> Points:
    if not isinstance(given, dict):
        return Points(_number(name, given))
    reason = given.get("reason", "")
    if "score" not in given or set(given) - {"score", "reason"} or not isinstance(reason, str):
        raise failure(
            f'for {name!r} it gave neither points nor {{"score": points, "reason": text}}'
        )
    return Points(_number(name, given["score"]), one_line(reason, _LONGEST_REASON))


def _number(name: str, given: Any) -> Fraction:
    number = isinstance(given, int | float | Decimal | Fraction) and not isinstance(given, bool)
    # A comparison with NaN is false, and an infinity is above all.
    if not number or math.isnan(given) or not 0 <= given <= FULL_MARKS:
        why = f"what it gave for {name!r} is not a number from 0 to {FULL_MARKS}"
        raise failure(why, describe(given))
    return exact(given)
