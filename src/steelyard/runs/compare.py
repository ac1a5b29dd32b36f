"""Compare runs of the same benchmarks: the first is the base, and every other one is held against it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

import msgspec
from msgspec import UNSET

from steelyard.errors import DataError
from steelyard.metrics.holm import holm
from steelyard.metrics.mcnemar import mcnemar
from steelyard.metrics.paired import Pairs
from steelyard.metrics.permutation import sign_flip
from steelyard.metrics.whole import exact_mean
from steelyard.runs.compare_pairs import Matched, match
from steelyard.runs.compare_shapes import allowed_changes
from steelyard.runs.compared import (
    CategoryDifference,
    Compared,
    Comparison,
    Coverage,
    Side,
    Surprise,
)
from steelyard.runs.opened import Run, open_run
from steelyard.runs.stored import runs_under

Given = Run | str | os.PathLike[str]
POWER = 0.8


def compare(
    base: Given,
    *candidates: Given,
    confidence: float = 0.95,
    allow: Sequence[str] | str = (),
    seed: int = 0,
) -> Comparison:
    """Hold each candidate against the base, sample by sample.

    Each is a run, its folder, or a folder of runs, which are matched by the name of their benchmark. Runs whose numbers are
    shaped by different things, the model apart, are a DataError that names those things; ``allow`` lets some of them differ,
    and the result says so.
    """
    if (
        isinstance(confidence, bool)
        or not isinstance(confidence, int | float)
        or not 0 < confidence < 1
    ):
        raise DataError(f"confidence is {confidence!r}; it must be a number above 0 and below 1")
    allow = (allow,) if isinstance(allow, str) else allow
    if not candidates:
        raise DataError("a comparison needs a base and at least one candidate")
    first, notes = by_benchmark(base), list[str]()
    pairs: list[tuple[Run, Run]] = []
    for given in candidates:
        pairs += couples(first, by_benchmark(given), notes)
    results, runs = list[Compared](), list[tuple[Run, Run, Matched]]()
    for one, other in pairs:
        changed = [str(change) for change in allowed_changes(one.about, other.about, allow)]
        matched = match(one, other)
        runs.append((one, other, matched))
        results.append(
            compared(one, other, matched, confidence=confidence, seed=seed, allowed=changed)
        )
    return Comparison(with_holm(results), runs, confidence=confidence, notes=notes)


def by_benchmark(given: Given) -> dict[str, Run]:
    """The runs that somebody named, by their benchmark; two of one benchmark are a DataError."""
    if isinstance(given, Run):
        return {given.benchmark: given}
    found: dict[str, Run] = {}
    for folder in runs_under(Path(given)):
        run = open_run(folder)
        if run.benchmark in found:
            both = f"{found[run.benchmark].folder.name} and {folder.name}"
            raise DataError(
                f"has two runs of {run.benchmark!r}, {both}: name the one that is meant",
                file=str(given),
            )
        found[run.benchmark] = run
    if not found:
        raise DataError("there is no run in this folder", file=str(given))
    return found


def couples(
    base: Mapping[str, Run], candidate: Mapping[str, Run], notes: list[str]
) -> list[tuple[Run, Run]]:
    """The runs of both that belong together; what only one side has is noted.

    Two single runs always belong together: that they are of different benchmarks is then told by what shapes them.
    """
    if len(base) == len(candidate) == 1:
        return [(next(iter(base.values())), next(iter(candidate.values())))]
    common = [name for name in base if name in candidate]
    notes += [f"only the base has a run of {name}" for name in base if name not in candidate]
    notes += [f"only the candidate has a run of {name}" for name in candidate if name not in base]
    if not common:
        raise DataError("the base and the candidate have no benchmark in common")
    return [(base[name], candidate[name]) for name in common]


def compared(
    base: Run,
    candidate: Run,
    matched: Matched,
    *,
    confidence: float,
    seed: int,
    allowed: Sequence[str] = (),
) -> Compared:
    """One benchmark: the difference, its interval, the test, and what it all rests on."""
    pairs = matched.pairs
    means = (_mean(pairs.base), _mean(pairs.candidate))
    flips = [row.flip for row in matched.rows]
    return Compared(
        benchmark=base.benchmark,
        base=_side(base, means[0]),
        candidate=_side(candidate, means[1]),
        difference=pairs.interval(confidence),
        test=surprise(pairs, seed),
        detectable=detectable(pairs, confidence),
        pairs=pairs.n,
        units=pairs.units,
        paired_by=matched.by,
        clustered_by=clustered_by(matched),
        losses=pairs.losses,
        gains=pairs.gains,
        lost=flips.count("lost"),
        gained=flips.count("gained"),
        coverage=coverage(matched),
        categories=categories(matched, confidence),
        allowed=tuple(allowed),
        notes=tuple(_notes(base, candidate)),
    )


def clustered_by(matched: Matched) -> str | None:
    """What the units are, where they hold more than one pair."""
    if matched.pairs.alone:
        return None
    return "cluster" if matched.clustered else "problem"


def surprise(pairs: Pairs, seed: int = 0) -> Surprise | None:
    """McNemar's test for 0/1 pairs that stand alone, else the sign-flip test over units; Holm's correction comes later."""
    if not pairs.n:
        return None
    if pairs.binary and pairs.alone:
        found = mcnemar(pairs.losses, pairs.gains)
        return Surprise(
            method="McNemar, mid-p", p=found.mid_p, p_holm=found.mid_p, p_exact=found.exact
        )
    flipped = sign_flip(pairs.unit_sums, seed=seed)
    how = "exact" if flipped.exact else f"{flipped.draws:,} draws, seed {flipped.seed}"
    return Surprise(method=f"sign-flip over units, {how}", p=flipped.p, p_holm=flipped.p)


def detectable(pairs: Pairs, confidence: float) -> float | None:
    """The least true difference that would be found four times in five: what is smaller cannot be told apart here."""
    if pairs.error is None:
        return None
    found = (pairs.critical((1 - confidence) / 2) + NormalDist().inv_cdf(POWER)) * pairs.error
    interval = pairs.interval(confidence)
    # Where next to nothing differs the error says little, and the interval more.
    reach = 0.0 if interval is None else ((interval.upper or 0.0) - (interval.lower or 0.0)) / 2
    return min(1.0, max(found, reach))


def coverage(matched: Matched) -> Coverage:
    """What is in the pairs, and what the difference could be at its worst and best."""
    return Coverage(
        asked=matched.asked,
        paired=matched.covered,
        unscored_base=matched.unscored_base,
        unscored_candidate=matched.unscored_candidate,
        only_base=matched.only_base,
        only_candidate=matched.only_candidate,
        worst=matched.worst.difference,
        best=matched.best.difference,
    )


def categories(matched: Matched, confidence: float) -> tuple[CategoryDifference, ...]:
    """The difference in each category, by name; none where there are no categories."""
    groups: dict[str, list[Any]] = {}
    for row in matched.rows:
        groups.setdefault("unknown" if row.category is None else row.category, []).append(row)
    if list(groups) == ["unknown"]:
        return ()
    found = []
    for name in sorted(groups):
        whole = [row for row in groups[name] if row.whole]
        pairs = Pairs(
            [row.base.value for row in whole],
            [row.candidate.value for row in whole],
            [row.unit for row in whole],
        )
        found.append(
            CategoryDifference(category=name, pairs=pairs.n, difference=pairs.interval(confidence))
        )
    return tuple(found)


def with_holm(results: Sequence[Compared]) -> list[Compared]:
    """The results with their p-values adjusted for each other."""
    adjusted = iter(holm([one.test.p for one in results if one.test is not None]))
    return [
        one
        if one.test is None
        else msgspec.structs.replace(
            one, test=msgspec.structs.replace(one.test, p_holm=next(adjusted))
        )
        for one in results
    ]


def _side(run: Run, mean: float | None) -> Side:
    return Side(
        folder=str(run.folder),
        model=run.model,
        signature=run.signature,
        mean=mean,
        reading=run.results.get("headline", {}).get("reading", UNSET),
    )


def _mean(values: Any) -> float | None:
    return exact_mean(values.tolist()) if len(values) else None


def _notes(base: Run, candidate: Run) -> list[str]:
    changed = [
        f"{run.model}: changed on the way: {change}"
        for run in (base, candidate)
        for change in run.about.changes
    ]
    return changed + base.journal_notes + candidate.journal_notes
