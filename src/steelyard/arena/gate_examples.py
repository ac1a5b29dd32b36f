"""Examples: submissions whose folder says how they come out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Annotated, Any

import msgspec

from steelyard.arena.challenge import EXAMPLES
from steelyard.arena.generation import generate
from steelyard.arena.trial import Fault, Trial
from steelyard.errors import SpecError
from steelyard.spec.evaluation import Evaluation
from steelyard.spec.result import Result

_RESULTS = tuple(str(result) for result in (Result.WIN, Result.DRAW, Result.LOSS))
_LONGEST = 400


class Example(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A submission to a match with that seed, handed in after so many seconds; with a log it counts as verified."""

    answer: Any
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] | None = None
    time_used: Annotated[float, msgspec.Meta(ge=0)] = 0
    replay_log: list[Any] | None = None
    note: str = ""


def examples_come_out(trial: Trial) -> Iterator[Fault]:
    """Every example comes out as its folder says, and there are some of each."""
    given = {
        name: content
        for name, content in trial.challenge.files.items()
        if name.startswith(EXAMPLES)
    }
    for result in _RESULTS:
        if not any(name.startswith(f"{EXAMPLES}{result}/") for name in given):
            said = "is missing; a submission that comes out so shows that the score means what you think"
            yield Fault(
                gate="examples",
                path=f"{EXAMPLES}{result}",
                message=said,
                level="warning" if result == Result.DRAW else "error",
            )
    for name, content in given.items():
        if said := _wrong(trial, PurePosixPath(name), content):
            yield Fault(gate="examples", path=name, message=said)


def why(found: Evaluation) -> str:
    """The reasons for a total, in one line."""
    return "; ".join(f"{name}: {reason}" for name, reason in found.reasons.items() if reason)[
        :_LONGEST
    ]


def _wrong(trial: Trial, place: PurePosixPath, content: bytes) -> str:
    if len(place.parts) != 3 or place.parts[1] not in _RESULTS or place.suffix != ".json":
        return f"is no example; they are {EXAMPLES}{{{','.join(_RESULTS)}}}/NAME.json"
    try:
        example = msgspec.json.decode(content, type=Example)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        return f"cannot be read: {wrong}"
    if example.seed is None and not trial.challenge.about.static:
        return "names no seed, and the truth depends on it"
    try:
        found = _outcome(trial, example)
    except SpecError as wrong:
        return f"its seed makes no match: {wrong}"
    if found.result == place.parts[1]:
        return ""
    came = "no result" if found.result is None else f"{found.score} points, a {found.result}"
    return f"comes to {came}, and lies in {place.parts[1]!r}: {why(found)}"


def _outcome(trial: Trial, example: Example) -> Evaluation:
    log = example.replay_log
    truth = generate(trial.challenge, example.seed or 0).truth
    return trial.scored(
        example.answer,
        truth,
        time_used=example.time_used,
        verified=log is not None,
        trajectory={"steps": log} if log is not None else None,
    )
