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
    """A sample of the base and the same one of the candidate."""

    id: str
    repeat: int
    category: str | None
    unit: str
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

    ``rows`` are the samples that both have. Where one side asked problems more often than the other, ``by`` is
    ``problem``: the means of each problem are paired.
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

    @property
    def asked(self) -> int:
        """How many pairs there would be if everything had a score."""
        return self.worst.n

    @property
    def coverage(self) -> float:
        """The share of them that has."""
        return self.pairs.n / self.asked if self.asked else 0.0


def match(base: Run, candidate: Run) -> Matched:
    """Pair the samples of two runs by the id of the problem and the number of the repeat."""
    return match_problems(read_problems(base.samples(judge=False)), read_problems(candidate.samples(judge=False)))


def read_problems(rows: Iterable[SampleRow]) -> dict[str, Problem]:
    """The problems of a run by their ids; a second problem with the same id is told apart by a number."""
    found: dict[str, Problem] = {}
    names: dict[int, str] = {}
    for row in rows:
        name = names.get(row.problem) or _own_name(row.id, found)
        names = {row.problem: name}
        problem = found.setdefault(name, Problem(row.category, row.cluster, []))
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
    clustered = any(base[name].cluster is not None for name in common)
    by_problem = any(len(base[name].samples) != len(candidate[name].samples) for name in common)
    rows = list(_rows(base, candidate, common, clustered))
    units = [_unit(name, base[name], clustered) for name in common]
    if by_problem:
        left, right = ([_means(side[name].samples) for name in common] for side in (base, candidate))
    else:
        units = [row.unit for row in rows]
        left, right = [_single(row.base) for row in rows], [_single(row.candidate) for row in rows]
    return Matched(
        "problem" if by_problem else "sample", clustered, rows, *_three(left, right, units),
        _unscored(base, common), _unscored(candidate, common), len(base) - len(common), len(candidate) - len(common),
    )  # fmt: skip


def _rows(base: dict[str, Problem], candidate: dict[str, Problem], common: list[str], clustered: bool) -> Iterator[PairedSample]:
    for name in common:
        unit = _unit(name, base[name], clustered)
        both = zip(base[name].samples, candidate[name].samples, strict=False)
        for repeat, (one, other) in enumerate(both):
            yield PairedSample(name, repeat, base[name].category, unit, one, other)


def _unit(name: str, problem: Problem, clustered: bool) -> str:
    return f"cluster {problem.cluster}" if clustered and problem.cluster is not None else f"problem {name}"


class _Range(NamedTuple):
    """A value, None where there is none, and what it is at the least and at the most."""

    value: float | None
    least: float
    most: float


def _single(sample: Scored) -> _Range:
    return _Range(None, 0.0, 1.0) if sample.value is None else _Range(sample.value, sample.value, sample.value)


def _means(samples: list[Scored]) -> _Range:
    known = [sample.value for sample in samples if sample.value is not None]
    total, missing = sum(known), len(samples) - len(known)
    mean = total / len(known) if known else None
    return _Range(mean, total / len(samples), (total + missing) / len(samples))


def _three(base: list[_Range], candidate: list[_Range], units: list[str]) -> tuple[Pairs, Pairs, Pairs]:
    """The pairs with a score on both sides; and all of them, with what has none at its worst and its best."""
    whole = [place for place, (one, other) in enumerate(zip(base, candidate, strict=True))
             if one.value is not None and other.value is not None]  # fmt: skip
    codes = np.unique(np.array(units, dtype=object).astype(str), return_inverse=True)[1] if units else np.zeros(0, dtype=int)

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
