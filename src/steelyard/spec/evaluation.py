"""What an evaluation gives: the total, the result, and how each dimension came to its points."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from steelyard.score import Part, Readable, Score
from steelyard.spec.model import Dimension
from steelyard.spec.result import FULL_MARKS, Result, score_to_result

_READ = (
    "score",
    "result",
    "score_breakdown",
    "submission_warnings",
    "constraint_violations",
    "harness_warning",
)
_PLACES = 6
# Two fractions with denominators up to this are never rounded to one float.
_SIMPLE = 1_000_000


class Evaluation(Readable, msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The outcome for one submission; it also reads as a mapping.

    ``total`` is the Score behind it: one part a dimension, each with its reason. Where a dimension has no
    value (a judge has still to speak, or our side failed) there is no ``score`` and no ``result`` either.
    ``sandbox`` is what held the programs that were run, if any were.
    """

    score: int | None
    result: Result | None
    score_breakdown: dict[str, dict[str, Any]]
    total: Score
    submission_warnings: list[dict[str, Any]] = []
    constraint_violations: list[dict[str, Any]] = []
    harness_warning: str | None = None
    signature: str = ""
    sandbox: dict[str, Any] | None = None

    @property
    def reasons(self) -> dict[str, str]:
        """The reason of each dimension, by name."""
        return {part.name: part.score.reason for part in self.total.parts}

    def keys(self) -> list[str]:
        """The keys of the mapping."""
        return list(_READ)

    def __getitem__(self, key: str) -> Any:
        if key in _READ:
            return getattr(self, key)
        raise KeyError(key)


def settle(
    dimensions: Sequence[Dimension], scores: Sequence[Score]
) -> tuple[int | None, Result | None, Score]:
    """The total in whole points, its result, and the Score with all parts.

    The fraction is dropped once, at the end, after a rounding that only mends what binary fractions broke.
    """
    parts = tuple(
        Part(name=dimension.name, score=score, weight=float(dimension.weight))
        for dimension, score in zip(dimensions, scores, strict=True)
    )
    for part in parts:
        if part.score.value is None:
            why = f"{part.name}: {part.score.reason}"
            return (
                None,
                None,
                Score(
                    value=None, correct=False, reason=why, parts=parts, pending=part.score.pending
                ),
            )
    mean = weighted_mean([d.share for d in dimensions], [rational(s.value or 0) for s in scores])
    points = _whole_points(mean)
    result = score_to_result(points)
    reason = f"{_short(mean)} points, which count as {points}: a {result}"
    value = float(mean)
    total = Score(value=value, correct=value == 1, reason=reason, parts=parts)
    return points, result, total


@functools.lru_cache(maxsize=4096)
def rational(value: float) -> Fraction:
    """The fraction that a score's value was rounded from: 2/3 for 0.6666666666666666, 0.69 for 0.69.

    Exact for every fraction with a denominator up to a million; any other value counts as its decimal.

    >>> rational(2 / 3), rational(0.69), rational(0.1234567890123)
    (Fraction(2, 3), Fraction(69, 100), Fraction(1234567890123, 10000000000000))
    """
    # In pairs of whole numbers: a Fraction for each step would take longer than all of them together.
    top, bottom = Decimal(repr(float(value))).as_integer_ratio()
    if bottom > _SIMPLE:
        near_top, near_bottom = _nearest(float(value))
        if near_top / near_bottom == value:
            top, bottom = near_top, near_bottom
    return Fraction(top, bottom)


def _nearest(value: float) -> tuple[int, int]:
    """The nearest fraction with a small denominator, by the continued fraction of the value."""
    top, bottom = n, d = value.as_integer_ratio()
    (before_top, before), (near_top, near) = (0, 1), (1, 0)
    while d and before + n // d * near <= _SIMPLE:
        part = n // d
        before_top, before, near_top, near = (
            near_top,
            near,
            before_top + part * near_top,
            before + part * near,
        )
        n, d = d, n - part * d
    if not d:  # it is that fraction itself
        return near_top, near
    steps = (_SIMPLE - before) // near
    other_top, other = before_top + steps * near_top, before + steps * near
    # |near - value| <= |other - value|, without the common denominator
    if abs(near_top * bottom - top * near) * other <= abs(other_top * bottom - top * other) * near:
        return near_top, near
    return other_top, other


def weighted_mean(weights: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    """The exact weighted mean."""
    # In whole numbers over one denominator: a sum of Fractions looks for the greatest divisor at every step.
    pairs = [
        (w.as_integer_ratio(), v.as_integer_ratio()) for w, v in zip(weights, values, strict=True)
    ]
    shared = math.lcm(*[w[1] * v[1] for w, v in pairs])
    earned = sum(w[0] * v[0] * (shared // (w[1] * v[1])) for w, v in pairs)
    return Fraction(earned, sum(w[0] * (shared // w[1]) for w, _ in pairs))


def breakdown(
    dimensions: Sequence[Dimension], scores: Sequence[Score]
) -> dict[str, dict[str, Any]]:
    """``{name: {score, weight, weighted}}``; numbers are whole where they can be."""
    table: dict[str, dict[str, Any]] = {}
    for dimension, score in zip(dimensions, scores, strict=True):
        share, whole = dimension.share.as_integer_ratio()
        table[dimension.name] = row = {
            "score": None,
            "weight": _ratio(share, whole),
            "weighted": None,
        }
        if score.value is not None:
            top, bottom = rational(score.value).as_integer_ratio()
            points = top * FULL_MARKS
            row["score"] = _ratio(points, bottom)
            row["weighted"] = _ratio(points * share, bottom * whole)
    return table


def tidy(number: Fraction) -> int | float:
    """A whole number as an int, any other as the nearest float.

    >>> tidy(Fraction(450)), tidy(Fraction(207, 2))
    (450, 103.5)
    """
    return _ratio(number.numerator, number.denominator)


def _ratio(numerator: int, denominator: int) -> int | float:
    return numerator // denominator if numerator % denominator == 0 else numerator / denominator


def _whole_points(mean: Fraction) -> int:
    """The points of a mean: rounded to so many places, half to even, and then cut."""
    places: int = 10**_PLACES
    near, rest = divmod(mean.numerator * FULL_MARKS * places, mean.denominator)
    near += 2 * rest > mean.denominator or (2 * rest == mean.denominator and near % 2 == 1)
    return min(FULL_MARKS, near // places)


def _short(mean: Fraction) -> str:
    points = mean.numerator * FULL_MARKS / mean.denominator
    return f"{points:.6f}".rstrip("0").rstrip(".")
