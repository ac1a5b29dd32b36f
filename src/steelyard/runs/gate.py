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

from steelyard.metrics.noninferiority import Bounds, bounds
from steelyard.metrics.paired import Pairs
from steelyard.metrics.power_search import MOST_FACTOR, More, units_to_decide
from steelyard.registry import nearest
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
    the missing scores. ``pairs`` counts what has a score on both sides, and ``asked`` all that either side was asked.
    ``more`` is how many problems (or passages) in all would decide if the difference stayed as it is.
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
    only_base: int = 0
    only_candidate: int = 0
    unscored_base: int = 0
    unscored_candidate: int = 0
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
    judged = [judge(one, other, policy) for one, other in common]
    decided = [*(one for one, _ in judged), *_missing(left, right, policy)]
    notes = [
        f"only the {side} has a run of {name}, and the policy does not ask for it"
        for side, name in _lonely(left, right, decided)
    ]
    notes += [note for pair in common for run in pair for note in run.journal_notes]
    known = {*left, *right}
    notes += [
        f"the policy has a rule for {name!r}, and no run is of it{nearest(name, known)}"
        for name in policy.benchmarks
        if name not in known
    ]
    return settle(decided, policy, notes, [found for _, found in judged])


def judge(base: Run, candidate: Run, policy: Policy) -> tuple[Decided, Bounds]:
    """One benchmark, and its bounds at the confidence of the mean over all of them."""
    allowed = [
        str(change)
        for change in allowed_changes(base.about, candidate.about, policy.allow, way="policy")
    ]
    rule, matched = policy.of(base.benchmark), match(base, candidate)
    found = decide(base.benchmark, matched, rule)
    found = msgspec.structs.replace(
        found, base=base.model, candidate=candidate.model, allowed=tuple(allowed)
    )
    return found, bounds(matched.pairs, rule.margin, (policy.overall or policy.rule).confidence)


def decide(name: str, matched: Matched, rule: Rule) -> Decided:
    """What the pairs of one benchmark say by that rule."""
    found = bounds(matched.pairs, rule.margin, rule.confidence)
    known = Decided(
        name=name,
        verdict=Verdict.INCONCLUSIVE,
        reason="",
        margin=rule.margin,
        confidence=rule.confidence,
        difference=matched.pairs.difference,
        lower=found.lower,
        upper=found.upper,
        method=found.method,
        pairs=matched.covered,
        asked=matched.asked + matched.alone,
        only_base=matched.only_base,
        only_candidate=matched.only_candidate,
        unscored_base=matched.unscored_base,
        unscored_candidate=matched.unscored_candidate,
        units=matched.pairs.units,
        worst=matched.worst.difference,
        best=matched.best.difference,
    )
    verdict, reason = _verdict(matched, rule, known)
    more = None
    near = not matched.pairs.few and _decided(known.lower, known.upper, rule.margin) is None
    if near and matched.coverage >= rule.min_coverage:
        more = units_to_decide(
            matched.pairs.sums,
            rule.margin,
            rule.confidence,
            counted=matched.pairs.binary and matched.pairs.alone,
        )
        reason += _would_decide(more, matched)
    return msgspec.structs.replace(
        known, verdict=verdict, reason=reason, more=more.units if more else None
    )


def _verdict(matched: Matched, rule: Rule, known: Decided) -> tuple[Verdict, str]:
    margin = f"{rule.margin:.4g}"
    if matched.pairs.few:
        return Verdict.INCONCLUSIVE, _too_few(matched)
    if matched.coverage < rule.min_coverage:
        return Verdict.INCONCLUSIVE, _uncovered(matched, rule)
    found = _decided(known.lower, known.upper, rule.margin)
    if found is None:
        return Verdict.INCONCLUSIVE, f"the bounds lie on both sides of a loss of {margin}"
    if matched.unscored and not _stands(found, matched, rule):
        what = "sample" if matched.by == "problem" else "pair"
        count = matched.unscored if matched.by == "problem" else matched.asked - matched.covered
        missing = f"{_many(count, what)} without a score could turn it"
        return Verdict.INCONCLUSIVE, f"the others say {found}, and {missing}"
    if found is Verdict.GO:
        return (
            found,
            f"the candidate is at most {margin} worse: the lower bound is {known.lower:+.4f}",
        )
    return (
        found,
        f"the candidate is more than {margin} worse: the upper bound is {known.upper:+.4f}",
    )


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _too_few(matched: Matched) -> str:
    pairs = matched.pairs
    if pairs.units < 2:
        return f"{_many(pairs.n, 'pair')} {'has' if pairs.n == 1 else 'have'} a score on both sides, which is too few"
    return f"one passage has so many of the {pairs.n:,} pairs that the others hardly count, which is too few"


def _uncovered(matched: Matched, rule: Rule) -> str:
    """What lacks a score, and what to do about it: more problems would not help."""
    what = "samples" if matched.by == "problem" else "pairs"
    told = f"{matched.covered:,} of {matched.asked + matched.alone:,} {what} have a score on both sides; "
    told += f"the policy wants {rule.min_coverage * 100:.6g}%"
    if matched.unscored:
        told += "; a run that is not finished goes on with --resume"
    lonely = (("base", matched.only_base), ("candidate", matched.only_candidate))
    return told + "".join(
        f"; only the {side} has {_many(count, 'problem')} of them"
        for side, count in lonely
        if count
    )


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
    what = "passages" if matched.clustered else "problems"
    if more is None:
        return f"; even {MOST_FACTOR:g} times as many {what} like these would not decide"
    return f"; about {max(1, more.units - matched.pairs.units):,} more {what} like these would say {more.verdict}"


def _missing(
    left: Mapping[str, Run], right: Mapping[str, Run], policy: Policy
) -> Iterable[Decided]:
    for name in policy.require:
        sides = [side for side, runs in (("base", left), ("candidate", right)) if name not in runs]
        if sides:
            rule = policy.of(name)
            has = "have" if len(sides) > 1 else "has"
            yield Decided(
                name=name,
                verdict=Verdict.INCONCLUSIVE,
                margin=rule.margin,
                confidence=rule.confidence,
                reason=f"the policy requires it, and the {' and the '.join(sides)} {has} no run of it",
            )


def _lonely(
    left: Mapping[str, Run], right: Mapping[str, Run], decided: Sequence[Decided]
) -> list[tuple[str, str]]:
    if len(left) == len(right) == 1 and decided and decided[0].pairs:
        return []
    told = {one.name for one in decided}
    return [
        (side, name)
        for side, ours, others in (("base", left, right), ("candidate", right, left))
        for name in ours
        if name not in others and name not in told
    ]


def settle(
    decided: Sequence[Decided],
    policy: Policy,
    notes: Sequence[str] = (),
    found_bounds: Sequence[Bounds] = (),
) -> Gated:
    """The verdict on all benchmarks together; their bounds at the confidence of the mean over them, where it is another."""
    overall = pooled(decided, policy.overall or policy.rule, found_bounds)
    every = [*decided, *([overall] if overall else [])]
    if not every:
        return Gated(
            verdict=Verdict.INCONCLUSIVE,
            reason="the base and the candidate have no benchmark in common",
            benchmarks=(),
            overall=None,
            notes=tuple(notes),
        )
    for verdict, said in (
        (Verdict.NO_GO, "worse than allowed"),
        (Verdict.INCONCLUSIVE, "not decided"),
    ):
        found = [one.name for one in every if one.verdict is verdict]
        if found:
            return Gated(
                verdict=verdict,
                reason=f"{said}: {', '.join(found)}",
                benchmarks=tuple(decided),
                overall=overall,
                notes=tuple(notes),
            )
    reason = "every benchmark, and the mean over them, is GO" if overall else "the benchmark is GO"
    return Gated(
        verdict=Verdict.GO,
        reason=reason,
        benchmarks=tuple(decided),
        overall=overall,
        notes=tuple(notes),
    )


def pooled(
    decided: Sequence[Decided], rule: Rule, found_bounds: Sequence[Bounds] = ()
) -> Decided | None:
    """The mean of the differences of several benchmarks, each of the same weight; None where there is only one.

    Its bounds are put together from theirs: the distances from difference to bound add up in squares.
    """
    if len(decided) < 2:
        return None
    own = found_bounds or [
        Bounds(lower=one.lower, upper=one.upper, method=one.method) for one in decided
    ]
    known = Decided(
        name="overall",
        verdict=Verdict.INCONCLUSIVE,
        reason="not every benchmark has bounds",
        margin=rule.margin,
        confidence=rule.confidence,
        pairs=sum(one.pairs for one in decided),
        asked=sum(one.asked for one in decided),
        method="mean over benchmarks",
    )
    whole = [
        (one.difference, at.lower, at.upper)
        for one, at in zip(decided, own, strict=False)
        if one.difference is not None and at.lower is not None and at.upper is not None
    ]
    if len(whole) < len(decided):
        return known
    mean = math.fsum(value for value, _, _ in whole) / len(whole)
    below = math.sqrt(math.fsum((value - lower) ** 2 for value, lower, _ in whole)) / len(whole)
    above = math.sqrt(math.fsum((upper - value) ** 2 for value, _, upper in whole)) / len(whole)
    found = _decided(mean - below, mean + above, rule.margin)
    verdict, reason = (
        found or Verdict.INCONCLUSIVE,
        f"the bounds lie on both sides of a loss of {rule.margin:.4g}",
    )
    if found is not None:
        # Each benchmark has been asked what its missing scores could do; here they could do it all at once.
        shift = (
            math.fsum((one.worst if found is Verdict.GO else one.best) or 0.0 for one in decided)
            / len(whole)
            - mean
        )
        if _decided(mean - below + shift, mean + above + shift, rule.margin) is not found:
            verdict, reason = (
                Verdict.INCONCLUSIVE,
                f"the others say {found}, and pairs without a score could turn it",
            )
        else:
            reason = f"the bounds of the mean are {mean - below:+.4f} and {mean + above:+.4f}"
    return msgspec.structs.replace(
        known,
        verdict=verdict,
        reason=reason,
        difference=mean,
        lower=mean - below,
        upper=mean + above,
    )
