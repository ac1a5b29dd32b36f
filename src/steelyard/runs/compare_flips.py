"""The samples that only one of two runs has right, with both answers side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from steelyard.runs.compare_pairs import PairedSample
from steelyard.runs.opened import Run
from steelyard.runs.sample_row import SampleRow


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What one side answered, what was read out of it, and why it scored what it did."""

    key: str
    value: float | None
    correct: bool
    response: str | None
    extracted: Any
    reason: str


class FlipText(msgspec.Struct, frozen=True, kw_only=True):
    """A sample that the candidate ``lost`` or ``gained``."""

    id: str
    repeat: int
    way: str
    category: str | None
    prompt: str
    target: str
    base: Answer
    candidate: Answer


def flip_texts(
    base: Run, candidate: Run, rows: Iterable[PairedSample], *, limit: int | None = None
) -> Iterator[FlipText]:
    """The flips in the order of the base, with their texts; up to ``limit`` each way.

    Only those that are wanted are held: a comparison of long runs does not keep their answers.
    """
    chosen = _first(rows, limit)
    if not chosen:
        return
    left = _texts(base, {row.base.key for row in chosen})
    right = _texts(candidate, {row.candidate.key for row in chosen})
    for row in chosen:
        one, other = left[row.base.key], right[row.candidate.key]
        yield FlipText(
            id=row.id,
            repeat=row.repeat,
            way=row.flip or "",
            category=row.category,
            prompt=one.prompt,
            target=one.target,
            base=_answer(one),
            candidate=_answer(other),
        )


def _first(rows: Iterable[PairedSample], limit: int | None) -> Sequence[PairedSample]:
    found, seen = list[PairedSample](), {"lost": 0, "gained": 0}
    for row in rows:
        if row.flip is None or (limit is not None and seen[row.flip] >= limit):
            continue
        seen[row.flip] += 1
        found.append(row)
    return found


def _texts(run: Run, keys: set[str]) -> dict[str, SampleRow]:
    return {row.key: row for row in run.samples(judge=False) if row.key in keys}


def _answer(row: SampleRow) -> Answer:
    return Answer(
        key=row.key,
        value=row.value,
        correct=row.correct,
        response=row.response,
        extracted=row.extracted,
        reason=row.reason,
    )
