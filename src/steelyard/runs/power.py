"""How many problems and repeats a comparison or a gate needs: from what is assumed, or from what runs have shown."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from steelyard.errors import DataError
from steelyard.metrics.power import difference_power, gate_power
from steelyard.metrics.power_search import Needed, problems_needed
from steelyard.metrics.power_spread import Spread, assumed, measured_shape
from steelyard.runs.compare_pairs import Matched, Problem, match_problems, read_problems
from steelyard.runs.compare_shapes import allowed_changes
from steelyard.runs.opened import open_run

REPEATS = (1, 2, 4, 8)
BASE_RATE, CORRELATION = 0.7, 0.5


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan goes by. ``told`` says of each number where it comes from.

    ``correlation`` is that of the two sides over problems, ``consistency`` that of two attempts of one side at the same
    problem. ``variance`` is that of single values where they are graded. With two runs ``pair_variance`` and
    ``pair_within`` were measured, and the rates are not needed.
    """

    base_rate: float = BASE_RATE
    correlation: float = CORRELATION
    consistency: float | None = None
    cluster_size: float = 1.0
    cluster_icc: float = 0.0
    variance: float | None = None
    pair_variance: float | None = None
    pair_within: float = 0.0
    pair_binary: bool = False
    step: float | None = None
    tails: float | None = None
    told: dict[str, str] = {}

    @property
    def alike(self) -> float:
        """The consistency; where nobody knows it, half-way from what the correlation needs to certainty."""
        return (1 + self.correlation) / 2 if self.consistency is None else self.consistency

    def spread(self, effect: float = 0.0) -> Spread:
        """How differences vary if the true one is that large."""
        clusters: dict[str, Any] = {
            "cluster_size": self.cluster_size,
            "cluster_icc": self.cluster_icc,
        }
        if self.pair_variance is not None:
            if not self.pair_binary:
                return Spread(
                    variance=self.pair_variance,
                    within=self.pair_within,
                    step=self.step,
                    tails=self.tails,
                    **clusters,
                )
            changed = max(self.pair_variance, effect)
            return Spread(
                loss=(changed - effect) / 2,
                gain=(changed + effect) / 2,
                within=self.pair_within,
                step=self.step,
                tails=self.tails,
                **clusters,
            )
        if self.variance is not None:
            both = 2 * self.variance
            return Spread(
                variance=both * (1 - self.correlation), within=both * (1 - self.alike), **clusters
            )
        # Towards the middle, where answers vary most: the other way takes fewer problems.
        other = self.base_rate - effect if self.base_rate > 0.5 else self.base_rate + effect
        return assumed(
            self.base_rate, min(1.0, max(0.0, other)), self.correlation, self.alike, **clusters
        )


class PlanRow(msgspec.Struct, frozen=True, kw_only=True):
    """How many problems are needed with so many repeats; None where no number that could be asked would do."""

    repeats: int
    compare: int | None
    compare_power: float
    gate: int | None
    gate_power: float


class PowerPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A plan: ``compare`` is a two-sided comparison that finds the effect, ``gate`` one that passes a candidate as good as
    its base with the effect as its margin."""

    effect: float
    power: float
    alpha: float
    known: Known
    rows: tuple[PlanRow, ...]


def plan(
    effect: float,
    known: Known,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    repeats: Sequence[int] = REPEATS,
) -> PowerPlan:
    """How many problems an effect needs, for each number of repeats.

    >>> found = plan(0.1, Known(base_rate=0.8), repeats=[1])
    >>> found.rows[0].gate, found.rows[0].compare
    (112, 150)
    """
    for name, value in (("effect", effect), ("power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise DataError(f"{name} is {value:g}; it must be above 0 and below 1")
    _possible(effect, known)
    rows = tuple(_row(effect, known, power, alpha, many) for many in repeats)
    return PowerPlan(effect=effect, power=power, alpha=alpha, known=known, rows=rows)


def _possible(effect: float, known: Known) -> None:
    """Numbers that no two models can have are a DataError."""
    if known.pair_variance is not None:
        return
    if known.consistency is not None and known.consistency < known.correlation:
        raise DataError(
            f"the consistency is {known.consistency:g} and the correlation {known.correlation:g}: two sides cannot "
            "agree more than two attempts of one side; the consistency is at least the correlation"
        )
    if effect > max(known.base_rate, 1 - known.base_rate):
        raise DataError(
            f"the effect is {effect:g}, and beside a base rate of {known.base_rate:.4g} no candidate can be so much "
            "better or worse"
        )


def _row(effect: float, known: Known, power: float, alpha: float, repeats: int) -> PlanRow:
    if repeats < 1:
        raise DataError(f"repeats is {repeats}; every problem is asked at least once")
    apart, alike = known.spread(effect), known.spread()

    @functools.cache
    def finding(problems: int) -> float:
        return difference_power(apart, problems, repeats, effect, alpha)

    @functools.cache
    def passing(problems: int) -> float:
        return gate_power(alike, problems, repeats, effect, 1 - alpha)

    comparing: Needed = problems_needed(finding, power)
    gating: Needed = problems_needed(passing, power)
    return PlanRow(
        repeats=repeats,
        compare=comparing.problems,
        compare_power=comparing.power,
        gate=gating.problems,
        gate_power=gating.power,
    )


def measured(folders: Sequence[Path], known: Known) -> Known:
    """What one run, or two runs of the same benchmark, say in the place of assumptions."""
    if not 1 <= len(folders) <= 2:
        raise DataError(f"a plan is made from one run or from two, not from {len(folders)}")
    runs = [open_run(folder) for folder in folders]
    if len(runs) == 2:
        # What a comparison would refuse says nothing about a pair either.
        allowed_changes(runs[0].about, runs[1].about, (), way="none")
    sides = [read_problems(run.samples(judge=False)) for run in runs]
    if len(sides) == 1:
        return _from_one(sides[0], known, str(folders[0]))
    matched = match_problems(sides[0], sides[1])
    if matched.pairs.units < 2:
        raise DataError(
            "the two runs have fewer than two problems with a score in common", file=str(folders[1])
        )
    return _from_two(matched, known, f"{folders[0]} and {folders[1]}")


def _from_one(problems: dict[str, Problem], known: Known, name: str) -> Known:
    groups = [
        [sample.value for sample in problem.samples if sample.value is not None]
        for problem in problems.values()
    ]
    values = np.array([value for group in groups for value in group])
    if len(values) < 2:
        raise DataError("the run has fewer than two samples with a score", file=name)
    # Not 0 or 1 themselves, which would claim that nothing can ever differ.
    rate = float((values.sum() + 1) / (len(values) + 2))
    found: dict[str, Any] = {"base_rate": rate}
    if not np.isin(values, (0, 1)).all():
        found["variance"] = float(values.var(ddof=1))
    if (consistency := _alike(groups)) is not None:
        found["consistency"] = consistency
        found["correlation"] = min(known.correlation, consistency)
    clusters, sources = _grouped(
        [np.mean(group) for group in groups if group],
        [
            problem.cluster
            for problem, group in zip(problems.values(), groups, strict=True)
            if group
        ],
        name,
    )
    told = {
        **known.told,
        **dict.fromkeys(sorted(set(found) - {"correlation"}), f"measured in {name}"),
        **sources,
    }
    found |= clusters
    seen = f"a mean of {values.mean():.4g} in {len(values):,} samples"
    told["base_rate"] = f"from {seen}, measured in {name}, drawn a little to the middle"
    return msgspec.structs.replace(known, **found, told=told)


def _from_two(matched: Matched, known: Known, name: str) -> Known:
    pairs = matched.pairs
    by_problem: dict[str, list[float]] = {}
    clusters: dict[str, int] = {}
    for row in matched.rows:
        if row.base.value is not None and row.candidate.value is not None:
            by_problem.setdefault(row.id, []).append(row.candidate.value - row.base.value)
            clusters[row.id] = row.unit
    groups = list(by_problem.values())
    every = np.array([value for group in groups for value in group])
    repeated = [group for group in groups if len(group) > 1]
    within = float(np.mean([np.var(group, ddof=1) for group in repeated])) if repeated else 0.0
    single = float((every**2).mean()) if pairs.binary else float(every.var())
    step, tails = measured_shape([np.mean(group) for group in groups])
    # Where nothing differs, one in as many as there are may all the same.
    found: dict[str, Any] = {
        "pair_variance": single or 1 / len(every),
        "pair_within": min(within, single),
        "pair_binary": pairs.binary,
        "step": step,
        "tails": tails,
    }
    told = {**known.told, **dict.fromkeys(found, f"measured in {name}")}
    if matched.clustered:
        grouped, sources = _grouped(
            [float(np.mean(group)) for group in groups], [clusters[one] for one in by_problem], name
        )
        found, told = found | grouped, told | sources
    return msgspec.structs.replace(known, **found, told=told)


def _alike(groups: Sequence[Sequence[float | None]]) -> float | None:
    """The correlation of two attempts at one problem; None where nothing was asked twice."""
    repeated = [np.array(group, dtype=float) for group in groups if len(group) > 1]
    if not repeated:
        return None
    within = float(np.mean([group.var(ddof=1) for group in repeated]))
    total = float(np.concatenate(repeated).var())
    return min(1.0, max(0.0, 1 - within / total)) if total > 0 else 1.0


def _grouped(
    values: Sequence[Any], names: Sequence[str | int | None], source: str
) -> tuple[dict[str, float], dict[str, str]]:
    """How large clusters are, and how alike what lies in one is, each with where it comes from; nothing where there are none."""
    groups: dict[str | int, list[float]] = {}
    for place, (value, name) in enumerate(zip(values, names, strict=True)):
        groups.setdefault(name if name is not None else f"alone {place}", []).append(float(value))
    sizes = np.array([len(group) for group in groups.values()])
    if not len(sizes) or sizes.max() < 2:
        return {}, {}
    found = {
        "cluster_size": float((sizes**2).sum() / sizes.sum()),
        "cluster_icc": _alike(list(groups.values())) or 0.0,
    }
    told = dict.fromkeys(found, f"measured in {source}")
    if len(sizes) == 1:
        found["cluster_icc"], told["cluster_icc"] = 1.0, "assumed: one passage does not tell"
    elif sizes.min() < sizes.max():
        told["cluster_size"] += (
            f", where passages have {sizes.min()} to {sizes.max()} problems; taken as equally large, "
            "and the gate takes more where they are not"
        )
    return found, told
