"""What scoring again has changed, sample by sample, and at which stage the two ways part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from steelyard.score import Score
from steelyard.spill import Records
from steelyard.values.normal import same_text

Stage = Literal["extraction", "normalisation", "comparison", "judge"]


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """A sample whose score is no longer the same; None stands for no score."""

    key: str
    id: str
    stage: Stage
    before: float | None
    after: float | None
    correct_before: bool
    correct_after: bool
    extracted_before: Any = None
    extracted_after: Any = None
    reason: str = ""


class Scored(msgspec.Struct, frozen=True):
    """A Score, and whether a judge spoke."""

    score: Score
    judged: bool


class Flips(Records[Flip]):
    """Flips in the order of their samples.

    >>> found = Flips()
    >>> found.add(Flip(key="0.0", id="a", stage="judge", before=0, after=1, correct_before=False, correct_after=True))
    >>> len(found), [one.key for one in found]
    (1, ['0.0'])
    """

    def __init__(self) -> None:
        super().__init__(Flip)


def flip(
    named: tuple[str, str], asked: tuple[str, str], before: Scored, after: Scored
) -> Flip | None:
    """How two scorings differ; None where value, verdict and status agree.

    ``named`` is the key and the id of the sample, ``asked`` its target and the response.
    """
    old, new = before.score, after.score
    if (old.value, old.correct, old.status) == (new.value, new.correct, new.status):
        return None
    judged = before.judged or after.judged or old.pending or new.pending
    return Flip(
        key=named[0],
        id=named[1],
        stage="judge" if judged else stage(old, new, *asked),
        before=old.value,
        after=new.value,
        correct_before=old.correct,
        correct_after=new.correct,
        extracted_before=_plain(old.extracted),
        extracted_after=_plain(new.extracted),
        reason=new.reason,
    )


def stage(old: Score, new: Score, target: str, response: str) -> Stage:
    """Where two scorings part that no judge had a hand in.

    Extraction: they read different things out of the response. Normalisation: they read the same, and it is the
    target only once both are normalised, which one of the two scorings did and the other did not. Comparison: they read
    the same, and differ about what it is worth.
    """
    if _plain(old.extracted) != _plain(new.extracted):
        return "extraction"
    read = response if new.extracted is UNSET else new.extracted
    if isinstance(read, str) and read != target and same_text(read, target):
        return "normalisation"
    return "comparison"


def counted(flips: Iterable[Flip]) -> dict[str, dict[str, int]]:
    """How many flips there are at each stage, and which way they go."""
    found: dict[str, dict[str, int]] = {}
    for one in flips:
        way = direction(one)
        at = found.setdefault(one.stage, {})
        at[way] = at.get(way, 0) + 1
    return {name: dict(sorted(found[name].items())) for name in sorted(found)}


def direction(one: Flip) -> str:
    """Which way a sample went, in words."""
    if one.before is None or one.after is None:
        return "lost its score" if one.after is None else "got a score"
    if one.correct_before != one.correct_after:
        return "became right" if one.correct_after else "became wrong"
    return "up" if one.after > one.before else "down"


def _plain(value: Any) -> Any:
    return None if value is UNSET else value
