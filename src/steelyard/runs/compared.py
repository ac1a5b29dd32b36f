"""What a comparison came to: for each benchmark and candidate one difference, with all that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from steelyard.metrics import Interval
from steelyard.runs.compare_flips import FlipText, flip_texts
from steelyard.runs.compare_pairs import Matched
from steelyard.runs.frames import Framed
from steelyard.runs.opened import Run

COLUMNS: Mapping[str, str] = {
    "benchmark": "text",
    "base": "text",
    "candidate": "text",
    "id": "text",
    "repeat": "whole",
    "category": "text",
    "base_key": "text",
    "candidate_key": "text",
    "base_value": "number",
    "candidate_value": "number",
    "difference": "number",
    "base_correct": "yes or no",
    "candidate_correct": "yes or no",
    "flip": "text",
}


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two runs, its mean over the pairs, and how its answers were read."""

    folder: str
    model: str
    signature: str
    mean: float | None
    reading: dict[str, Any] | UnsetType = UNSET


class Surprise(msgspec.Struct, frozen=True, kw_only=True):
    """How surprising the difference would be if there were none; ``p_holm`` takes all comparisons into account."""

    method: str
    p: float
    p_holm: float
    p_exact: float | None = None


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """How much of what both runs were asked is in the pairs, and what the difference could be if all of it were."""

    asked: int
    paired: int
    unscored_base: int
    unscored_candidate: int
    only_base: int
    only_candidate: int
    worst: float | None
    best: float | None


class CategoryDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The difference in one category."""

    category: str
    pairs: int
    difference: Interval | None


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One candidate beside the base on one benchmark; the difference is the candidate's mean less the base's.

    ``detectable`` is the least true difference that so many problems would find four times in five. ``units`` are the
    problems, or the passages where problems share one; ``paired_by`` says whether samples or the means of problems were paired.
    """

    benchmark: str
    base: Side
    candidate: Side
    difference: Interval | None
    test: Surprise | None
    detectable: float | None
    pairs: int
    units: int
    paired_by: str
    clustered_by: str | None
    losses: int
    gains: int
    lost: int
    gained: int
    coverage: Coverage
    categories: tuple[CategoryDifference, ...] = ()
    allowed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Comparison(Framed):
    """Everything that was compared; ``results`` has one entry for each benchmark and candidate."""

    def __init__(
        self,
        results: Sequence[Compared],
        runs: Sequence[tuple[Run, Run, Matched]],
        *,
        confidence: float,
        notes: Sequence[str] = (),
    ) -> None:
        self.results, self.confidence, self.notes = tuple(results), confidence, tuple(notes)
        self.runs = tuple(runs)

    def __repr__(self) -> str:
        told = ", ".join(f"{one.benchmark}: {one.difference or 'no pairs'}" for one in self.results)
        return f"Comparison({told})"

    def to_dict(self, *, flips: int | None = 0) -> dict[str, Any]:
        """Everything as plain data, with up to so many flips each way for each result; None is all of them."""
        results = []
        for place, one in enumerate(self.results):
            told = msgspec.to_builtins(one)
            told["flips"] = [
                msgspec.to_builtins(flip, enc_hook=str) for flip in self.flips(place, limit=flips)
            ]
            results.append(told)
        return {
            "format": 1,
            "confidence": self.confidence,
            "results": results,
            "notes": list(self.notes),
        }

    def flips(self, place: int = 0, *, limit: int | None = None) -> Iterator[FlipText]:
        """The samples of one result that only one side has right, with both answers; up to ``limit`` each way."""
        base, candidate, matched = self.runs[place]
        return flip_texts(base, candidate, matched.rows, limit=limit)

    def frame_columns(self) -> Mapping[str, str]:
        """One row is a pair of samples."""
        return COLUMNS

    def frame_rows(self) -> Iterator[Mapping[str, Any]]:
        """Every pair of samples, also those without a score."""
        for (base, candidate, matched), one in zip(self.runs, self.results, strict=True):
            for row in matched.rows:
                left, right = row.base, row.candidate
                yield {
                    "benchmark": one.benchmark,
                    "base": base.model,
                    "candidate": candidate.model,
                    "id": row.id,
                    "repeat": row.repeat,
                    "category": row.category,
                    "base_key": left.key,
                    "candidate_key": right.key,
                    "base_value": left.value,
                    "candidate_value": right.value,
                    "difference": None
                    if left.value is None or right.value is None
                    else right.value - left.value,
                    "base_correct": None if left.value is None else left.correct,
                    "candidate_correct": None if right.value is None else right.correct,
                    "flip": row.flip,
                }

    def _repr_html_(self) -> str:
        from steelyard.metrics.tables import html_table

        head = (
            "benchmark",
            "base",
            "candidate",
            "difference",
            f"{self.confidence * 100:.10g}% interval",
            "p (Holm)",
            "pairs",
            "not told apart below",
        )
        return html_table(head, [_cells(one) for one in self.results])


def _cells(one: Compared) -> tuple[str, ...]:
    found = one.difference
    return (
        one.benchmark,
        one.base.model,
        one.candidate.model,
        "–" if found is None else f"{found.value:+.4f}",
        "–" if found is None else f"[{found.ci_lower:+.4f}, {found.ci_upper:+.4f}]",
        "–" if one.test is None else f"{one.test.p_holm:.4g}",
        f"{one.pairs:,}",
        "–" if one.detectable is None else f"{one.detectable:.4f}",
    )
