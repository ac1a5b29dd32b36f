"""The samples of a comparison inside its page: which are shown, their columns, and both answers to each."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from steelyard.report.cut import Room, cut, room
from steelyard.report.packed import BLOCK, Names
from steelyard.report.sample_texts import sample_texts
from steelyard.runs.compare_pairs import PairedSample
from steelyard.runs.compared import Comparison
from steelyard.runs.opened import Run
from steelyard.runs.sample_row import SampleRow

# A page with both answers to more samples than these would be slow to send: of those that came out alike it has none.
MOST_ALIKE = 20_000
OUTCOMES = {"gained": "▲", "both right": "✓", "both wrong": "✕", "lost": "▼", "no score": "○"}
_LETTERS = {"lost": "l", "gained": "g", "both right": "r", "both wrong": "w", "no score": "u"}


def outcome(row: PairedSample) -> str:
    """What became of a sample: lost, gained, both right, both wrong, or no score on one side at least."""
    if not row.whole:
        return "no score"
    return row.flip or ("both right" if row.base.correct else "both wrong")


class Shown(NamedTuple):
    """The samples that a page has, by result, and how many that came out alike it leaves out."""

    rows: Sequence[Sequence[PairedSample]]
    left_out: int

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(map(len, self.rows))


def shown(comparison: Comparison) -> Shown:
    """All samples, or where these are very many those that differ between the sides."""
    every = [matched.rows for _, _, matched in comparison.runs]
    total = sum(map(len, every))
    if total <= MOST_ALIKE:
        return Shown(every, 0)
    kept = [
        [row for row in rows if not row.whole or row.base.value != row.candidate.value or row.flip]
        for rows in every
    ]
    return Shown(kept, total - sum(map(len, kept)))


def counts(rows: Iterable[PairedSample]) -> Counter[str]:
    """How many samples have which outcome."""
    return Counter(map(outcome, rows))


def columns(
    comparison: Comparison, found: Shown, names: Sequence[str], labels: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """What the table is filtered and sorted by, as plain data; -1 stands for no value, 0 for no name."""
    ids, letters, categories = list[str](), list[str](), Names()
    numbers, results, values = array("L"), array("H"), (array("d"), array("d"))
    for place, rows in enumerate(found.rows):
        for row in rows:
            ids.append(
                f"{row.id} · {row.repeat}"
                if comparison.runs[place][0].about.repeats > 1
                else row.id
            )
            letters.append(_LETTERS[outcome(row)])
            numbers.append(categories.number(row.category))
            results.append(place + 1)
            for held, side in zip(values, (row.base, row.candidate), strict=True):
                held.append(-1.0 if side.value is None else round(side.value, 6))
    return {
        "repeats": 1,
        "block": BLOCK,
        "ids": ids,
        "outcomes": "".join(letters),
        "categories": list(numbers),
        "category_names": categories.all(),
        "results": list(results),
        "result_names": list(names),
        "models": labels,
        "base_values": list(values[0]),
        "candidate_values": list(values[1]),
    }


def texts(comparison: Comparison, found: Shown) -> Iterator[dict[str, Any]]:
    """What the panel shows of each sample. The runs are read side by side, and few samples are held at a time."""
    kept, place = room(2 * found.total), 0
    for (base, candidate, _), rows in zip(comparison.runs, found.rows, strict=True):
        asked = ""
        for row, one, other in both(base, candidate, rows):
            told = _told(one, other, kept, asked=place % BLOCK == 0 or row.id != asked)
            asked, place = row.id, place + 1
            yield told


def _told(one: SampleRow, other: SampleRow, kept: Room, *, asked: bool) -> dict[str, Any]:
    left, right = (sample_texts(row, kept, asked=True) for row in (one, other))
    told = {
        "target": left.get("target"),
        "asked": left.get("asked") if asked else None,
        "base": left,
        "candidate": right,
    }
    if right.get("asked") == left.get("asked"):
        right.pop("asked", None)
    if other.target != one.target:  # allowed to differ, so both are told
        told["target"] = cut(f"{one.target}\n(of the candidate:) {other.target}", kept.beside)
    for side in (left, right):
        for name in ("target", "input"):
            side.pop(name, None)
    left.pop("asked", None)
    return {name: value for name, value in told.items() if value is not None}


def both(
    base: Run, candidate: Run, rows: Sequence[PairedSample]
) -> Iterator[tuple[PairedSample, SampleRow, SampleRow]]:
    """The samples with their texts from both runs, in the order of the rows."""
    left = _Sought(base.samples(), {row.base.key for row in rows})
    right = _Sought(candidate.samples(), {row.candidate.key for row in rows})
    for row in rows:
        yield row, left.take(row.base.key), right.take(row.candidate.key)


class _Sought:
    """Samples taken by their keys from a run that is read once; what is passed over is held until it is asked for."""

    def __init__(self, samples: Iterator[SampleRow], keys: set[str]) -> None:
        self._samples, self._keys = samples, keys
        self._held: dict[str, SampleRow] = {}

    def take(self, key: str) -> SampleRow:
        while key not in self._held:
            row = next(self._samples)
            if row.key in self._keys:
                self._held[row.key] = row
        return self._held.pop(key)
