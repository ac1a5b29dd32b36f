"""GO, NO-GO or INCONCLUSIVE: whether a candidate is at most so much worse than its base, by the policy's rules.

GO needs the lower bound of the difference above ``-margin``, NO-GO the upper bound below it; both are bounds that keep
their promise with few problems too. What has no score never decides: a verdict stands only if it would also stand with the
missing scores at their worst (for GO) or at their best (for NO-GO).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec

from steelyard.metrics.noninferiority import bounds
from steelyard.metrics.paired import Pairs
from steelyard.metrics.power_search import More, units_to_decide
from steelyard.runs.compare import Given, by_benchmark
from steelyard.runs.compare_pairs import Matched, match
from steelyard.runs.compare_shapes import allowed_changes
from steelyard.runs.opened import Run
from steelyard.runs.policy import Policy, Rule


class Verdict(StrEnum):
    """What the gate says."""

    GO = "GO"
    NO_GO = "NO-GO"
    INCONCLUSIVE = "INCONCLUSIVE"

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        return {Verdict.GO: 0, Verdict.NO_GO: 1, Verdict.INCONCLUSIVE: 4}[self]


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """What was said of one benchmark, or of all together, and what it rests on.

    ``lower`` and ``upper`` are one-sided bounds at ``confidence``. ``worst`` and ``best`` are what the difference could be with
    the missing scores. ``more`` is how many problems (or passages) in all would decide if the difference stayed as it is.
    """

    name: str
    verdict: Verdict
    reason: str
    margin: float
    confidence: float
    difference: float | None = None
    lower: float | None = None
    upper: float | None = None
    method: str = ""
    pairs: int = 0
    asked: int = 0
    units: int = 0
    worst: float | None = None
    best: float | None = None
    more: int | None = None
    base: str = ""
    candidate: str = ""
    allowed: tuple[str, ...] = ()


class Gated(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a candidate: GO only where every benchmark and the mean over them are GO; NO-GO where one is."""

    verdict: Verdict
    reason: str
    benchmarks: tuple[Decided, ...]
    overall: Decided | None
    notes: tuple[str, ...] = ()
    format: int = 1


def gate(base: Given, candidate: Given, policy: Policy) -> Gated:
    """Hold the candidate against the base, benchmark by benchmark and in all.

    Each is a run, its folder, or a folder of runs. Runs that cannot be compared are a DataError, as they are for ``compare``.
    """
    left, right = by_benchmark(base), by_benchmark(candidate)
    if len(left) == len(right) == 1 and not policy.require:
        common = [(next(iter(left.values())), next(iter(right.values())))]
    else:
        common = [(left[name], right[name]) for name in left if name in right]
    decided = [judge(one, other, policy) for one, other in common]
    decided += list(_missing(left, right, policy))
    notes = [f"only the {side} has a run of {name}, and the policy does not ask for it"
             for side, name in _lonely(left, right, decided)]  # fmt: skip
    return settle(decided, policy, notes)


def judge(base: Run, candidate: Run, policy: Policy) -> Decided:
    """One benchmark."""
    allowed = [str(change) for change in allowed_changes(base.about, candidate.about, policy.allow)]
    found = decide(base.benchmark, match(base, candidate), policy.of(base.benchmark))
    return msgspec.structs.replace(found, base=base.model, candidate=candidate.model, allowed=tuple(allowed))


def decide(name: str, matched: Matched, rule: Rule) -> Decided:
    """What the pairs of one benchmark say by that rule."""
    found = bounds(matched.pairs, rule.margin, rule.confidence)
    known = Decided(
        name=name, verdict=Verdict.INCONCLUSIVE, reason="", margin=rule.margin, confidence=rule.confidence,
        difference=matched.pairs.difference, lower=found.lower, upper=found.upper, method=found.method,
        pairs=matched.pairs.n, asked=matched.asked, units=matched.pairs.units,
        worst=matched.worst.difference, best=matched.best.difference,
    )  # fmt: skip
    verdict, reason = _verdict(matched, rule, known)
    more = None
    if verdict is Verdict.INCONCLUSIVE and matched.pairs.units > 1 and not _decided(known.lower, known.upper, rule.margin):
        more = units_to_decide(matched.pairs.sums, rule.margin, rule.confidence,
                               counted=matched.pairs.binary and matched.pairs.alone)  # fmt: skip
        reason += _would_decide(more, matched)
    return msgspec.structs.replace(known, verdict=verdict, reason=reason, more=more.units if more else None)


def _verdict(matched: Matched, rule: Rule, known: Decided) -> tuple[Verdict, str]:
    margin = f"{rule.margin:.4g}"
    if matched.pairs.units < 2:
        return Verdict.INCONCLUSIVE, f"{matched.pairs.n} pairs have a score on both sides, which is too few"
    if matched.coverage < rule.min_coverage:
        share = f"{matched.pairs.n:,} of {matched.asked:,} pairs have a score on both sides"
        return Verdict.INCONCLUSIVE, f"{share}; the policy wants {rule.min_coverage:.1%}"
    found = _decided(known.lower, known.upper, rule.margin)
    if found is None:
        return Verdict.INCONCLUSIVE, f"the bounds lie on both sides of a loss of {margin}"
    if matched.pairs.n < matched.asked and not _stands(found, matched, rule):
        missing = f"{matched.asked - matched.pairs.n:,} pairs without a score could turn it"
        return Verdict.INCONCLUSIVE, f"the others say {found}, and {missing}"
    if found is Verdict.GO:
        return found, f"the candidate is at most {margin} worse: the lower bound is {known.lower:+.4f}"
    return found, f"the candidate is more than {margin} worse: the upper bound is {known.upper:+.4f}"


def _decided(lower: float | None, upper: float | None, margin: float) -> Verdict | None:
    if lower is not None and lower > -margin:
        return Verdict.GO
    return Verdict.NO_GO if upper is not None and upper < -margin else None


def _stands(verdict: Verdict, matched: Matched, rule: Rule) -> bool:
    """Whether it would be the same with every missing score against it."""
    against: Pairs = matched.worst if verdict is Verdict.GO else matched.best
    found = bounds(against, rule.margin, rule.confidence)
    return _decided(found.lower, found.upper, rule.margin) is verdict


def _would_decide(more: More | None, matched: Matched) -> str:
    if more is None:
        return "; the difference is so near to the margin that many times as many problems would not decide"
    what = "passages" if matched.clustered else "problems"
    return f"; about {max(1, more.units - matched.pairs.units):,} more {what} like these would say {more.verdict}"


def _missing(left: Mapping[str, Run], right: Mapping[str, Run], policy: Policy) -> Iterable[Decided]:
    for name in policy.require:
        sides = [side for side, runs in (("base", left), ("candidate", right)) if name not in runs]
        if sides:
            rule = policy.of(name)
            yield Decided(name=name, verdict=Verdict.INCONCLUSIVE, margin=rule.margin, confidence=rule.confidence,
                          reason=f"the policy requires it, and the {' and the '.join(sides)} has no run of it")  # fmt: skip


def _lonely(left: Mapping[str, Run], right: Mapping[str, Run], decided: Sequence[Decided]) -> list[tuple[str, str]]:
    if len(left) == len(right) == 1 and decided and decided[0].pairs:
        return []
    told = {one.name for one in decided}
    return [(side, name) for side, ours, others in (("base", left, right), ("candidate", right, left))
            for name in ours if name not in others and name not in told]  # fmt: skip


def settle(decided: Sequence[Decided], policy: Policy, notes: Sequence[str] = ()) -> Gated:
    """The verdict on all benchmarks together."""
    overall = pooled(decided, policy.overall or policy.rule)
    every = [*decided, *([overall] if overall else [])]
    if not every:
        return Gated(verdict=Verdict.INCONCLUSIVE, reason="the base and the candidate have no benchmark in common",
                     benchmarks=(), overall=None, notes=tuple(notes))  # fmt: skip
    for verdict, said in ((Verdict.NO_GO, "worse than allowed"), (Verdict.INCONCLUSIVE, "not decided")):
        found = [one.name for one in every if one.verdict is verdict]
        if found:
            return Gated(verdict=verdict, reason=f"{said}: {', '.join(found)}", benchmarks=tuple(decided), overall=overall,
                         notes=tuple(notes))  # fmt: skip
    reason = "every benchmark, and the mean over them, is GO" if overall else "the benchmark is GO"
    return Gated(verdict=Verdict.GO, reason=reason, benchmarks=tuple(decided), overall=overall, notes=tuple(notes))


def pooled(decided: Sequence[Decided], rule: Rule) -> Decided | None:
    """The mean of the differences of several benchmarks, each of the same weight; None where there is only one.

    Its bounds are put together from theirs: the distances from difference to bound add up in squares.
    """
    if len(decided) < 2:
        return None
    whole = [one for one in decided if one.difference is not None and one.lower is not None and one.upper is not None]
    known = Decided(name="overall", verdict=Verdict.INCONCLUSIVE, reason="not every benchmark has bounds", margin=rule.margin,
                    confidence=rule.confidence, pairs=sum(one.pairs for one in decided), asked=sum(one.asked for one in decided),
                    method="mean over benchmarks")  # fmt: skip
    if len(whole) < len(decided):
        return known
    mean = math.fsum(one.difference or 0.0 for one in whole) / len(whole)
    below = math.sqrt(sum(((one.difference or 0.0) - (one.lower or 0.0)) ** 2 for one in whole)) / len(whole)
    above = math.sqrt(sum(((one.upper or 0.0) - (one.difference or 0.0)) ** 2 for one in whole)) / len(whole)
    found = _decided(mean - below, mean + above, rule.margin)
    verdict, reason = found or Verdict.INCONCLUSIVE, f"the bounds lie on both sides of a loss of {rule.margin:.4g}"
    if found is not None:
        # Each benchmark has been asked what its missing scores could do; here they could do it all at once.
        shift = math.fsum((one.worst if found is Verdict.GO else one.best) or 0.0 for one in whole) / len(whole) - mean
        if _decided(mean - below + shift, mean + above + shift, rule.margin) is not found:
            verdict, reason = Verdict.INCONCLUSIVE, f"the others say {found}, and pairs without a score could turn it"
        else:
            reason = f"the bounds of the mean are {mean - below:+.4f} and {mean + above:+.4f}"
    return msgspec.structs.replace(known, verdict=verdict, reason=reason, difference=mean, lower=mean - below, upper=mean + above)
