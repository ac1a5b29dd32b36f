"""The samples of two runs, paired: the same problem, the same repeat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from steelyard.metrics.paired import Pairs
from steelyard.runs.opened import Run
from steelyard.runs.sample_row import SampleRow


class Scored(NamedTuple):
    """What is kept of a sample: its key in the run, its value (None where it has none), and whether it is right."""

    key: str
    value: float | None
    correct: bool


class Problem(NamedTuple):
    """The samples of one problem."""

    category: str | None
    cluster: str | None
    samples: list[Scored]


class PairedSample(NamedTuple):
    """A sample of the base and the same one of the candidate; or a problem, where means are paired. ``unit`` is a number."""

    id: str
    repeat: int
    category: str | None
    unit: int
    base: Scored
    candidate: Scored

    @property
    def whole(self) -> bool:
        """Whether both have a score."""
        return self.base.value is not None and self.candidate.value is not None

    @property
    def flip(self) -> str | None:
        """``lost`` or ``gained`` where only one side is right."""
        if not self.whole or self.base.correct == self.candidate.correct:
            return None
        return "lost" if self.base.correct else "gained"


class Matched(NamedTuple):
    """All that two runs have in common, and how much of it has no score.

    ``rows`` are the pairs, also those without a score. Where one side asked problems more often than the other, ``by`` is
    ``problem``: the means of each problem are paired, and what has a score is counted by sample, on the side that has
    less of it. ``alone`` counts the samples of problems that only one side was asked.
    """

    by: str
    clustered: bool
    rows: list[PairedSample]
    pairs: Pairs
    worst: Pairs
    best: Pairs
    unscored_base: int
    unscored_candidate: int
    only_base: int
    only_candidate: int
    alone: int
    asked: int
    covered: int

    @property
    def unscored(self) -> int:
        """How many samples of both sides have no score."""
        return self.unscored_base + self.unscored_candidate

    @property
    def coverage(self) -> float:
        """The share of what either side was asked that has a score on both."""
        every = self.asked + self.alone
        return self.covered / every if every else 0.0


def match(base: Run, candidate: Run) -> Matched:
    """Pair the samples of two runs by the id of the problem and the number of the repeat."""
    return match_problems(
        read_problems(base.samples(judge=False)), read_problems(candidate.samples(judge=False))
    )


def read_problems(rows: Iterable[SampleRow]) -> dict[str, Problem]:
    """The problems of a run by their ids; a second problem with the same id is told apart by a number."""
    found: dict[str, Problem] = {}
    names: dict[int, str] = {}
    clusters: dict[
        str | None, str | None
    ] = {}  # a passage may be long, and many problems share it: it is held once
    for row in rows:
        name = names.get(row.problem) or _own_name(row.id, found)
        names = {row.problem: name}
        problem = found.setdefault(
            name, Problem(row.category, clusters.setdefault(row.cluster, row.cluster), [])
        )
        problem.samples.append(Scored(row.key, row.value, row.correct))
    return found


def _own_name(wanted: str, taken: dict[str, Problem]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} ({number})", number + 1
    return name


def match_problems(base: dict[str, Problem], candidate: dict[str, Problem]) -> Matched:
    """The same, of problems that were read already."""
    common = [name for name in base if name in candidate]
    # What only one side knows to be shared is shared all the same.
    clusters = {
        name: candidate[name].cluster if base[name].cluster is None else base[name].cluster
        for name in common
    }
    clustered = any(cluster is not None for cluster in clusters.values())
    by_problem = any(len(base[name].samples) != len(candidate[name].samples) for name in common)
    units = _units(clusters)
    if by_problem:
        typical = ([_typical(side[name].samples) for name in common] for side in (base, candidate))
        rows = [
            PairedSample(name, 0, base[name].category, units[name], one, other)
            for name, one, other in zip(common, *typical, strict=True)
        ]
        left, right = (
            [_means(side[name].samples) for name in common] for side in (base, candidate)
        )
        asked, covered = min(
            (_counted(side, common, rows) for side in (base, candidate)), key=_share
        )
    else:
        rows = list(_rows(base, candidate, units))
        left, right = [_single(row.base) for row in rows], [_single(row.candidate) for row in rows]
        asked, covered = len(rows), sum(row.whole for row in rows)
    alone = sum(
        len(problem.samples)
        for one, other in ((base, candidate), (candidate, base))
        for name, problem in one.items()
        if name not in other
    )
    return Matched(
        "problem" if by_problem else "sample",
        clustered,
        rows,
        *_three(left, right, [row.unit for row in rows]),
        _unscored(base, common),
        _unscored(candidate, common),
        len(base) - len(common),
        len(candidate) - len(common),
        alone,
        asked,
        covered,
    )


def _counted(
    side: dict[str, Problem], common: list[str], rows: list[PairedSample]
) -> tuple[int, int]:
    """How many samples one side was asked, and how many of them are in the pairs."""
    asked = sum(len(side[name].samples) for name in common)
    return asked, sum(
        sample.value is not None for row in rows if row.whole for sample in side[row.id].samples
    )


def _share(counted: tuple[int, int]) -> float:
    asked, covered = counted
    return covered / asked if asked else 0.0


def _rows(
    base: dict[str, Problem], candidate: dict[str, Problem], units: dict[str, int]
) -> Iterator[PairedSample]:
    for name in units:
        both = zip(base[name].samples, candidate[name].samples, strict=True)
        for repeat, (one, other) in enumerate(both):
            yield PairedSample(name, repeat, base[name].category, units[name], one, other)


def _units(clusters: dict[str, str | None]) -> dict[str, int]:
    """The number of each problem's unit: its passage, or itself."""
    numbers: dict[tuple[bool, str], int] = {}
    return {
        name: numbers.setdefault(
            (cluster is None, name if cluster is None else cluster), len(numbers)
        )
        for name, cluster in clusters.items()
    }


def _typical(samples: list[Scored]) -> Scored:
    """A problem as one sample: the mean, right where most attempts are, with the key of the first that came out so."""
    known = [sample for sample in samples if sample.value is not None]
    if not known:
        return samples[0]._replace(value=None)
    right = 2 * sum(sample.correct for sample in known) > len(known)
    first = next((sample for sample in known if sample.correct == right), known[0])
    return Scored(first.key, _means(samples).value, right)


class _Range(NamedTuple):
    """A value, None where there is none, and what it is at the least and at the most."""

    value: float | None
    least: float
    most: float


def _single(sample: Scored) -> _Range:
    return (
        _Range(None, 0.0, 1.0)
        if sample.value is None
        else _Range(sample.value, sample.value, sample.value)
    )


def _means(samples: list[Scored]) -> _Range:
    known = [sample.value for sample in samples if sample.value is not None]
    total, missing = sum(known), len(samples) - len(known)
    mean = total / len(known) if known else None
    return _Range(mean, total / len(samples), (total + missing) / len(samples))


def _three(
    base: list[_Range], candidate: list[_Range], units: list[int]
) -> tuple[Pairs, Pairs, Pairs]:
    """The pairs with a score on both sides; and all of them, with what has none at its worst and its best."""
    whole = [
        place
        for place, (one, other) in enumerate(zip(base, candidate, strict=True))
        if one.value is not None and other.value is not None
    ]
    codes = np.array(units, dtype=np.int64)

    def column(side: list[_Range], name: str, places: Iterable[int]) -> list[Any]:
        return [getattr(side[place], name) for place in places]

    every = range(len(units))
    return (
        Pairs(column(base, "value", whole), column(candidate, "value", whole), codes[whole]),
        Pairs(column(base, "most", every), column(candidate, "least", every), codes),
        Pairs(column(base, "least", every), column(candidate, "most", every), codes),
    )


def _unscored(side: dict[str, Problem], common: list[str]) -> int:
    return sum(sample.value is None for name in common for sample in side[name].samples)
