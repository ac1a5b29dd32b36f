"""A few samples scored before anybody is asked: they show whether the rows can be scored by, and whether a judge is needed."""

from __future__ import annotations

from steelyard.bench.definition import Problem
from steelyard.bench.scorers import is_own
from steelyard.errors import SpecError
from steelyard.runs.plan import RunPlan
from steelyard.runs.scoring import FAULT, SampleScorer
from steelyard.scoring.cascade import JUDGE_MISSING

MOST = 8
# A scorer may look at nothing before it has something to look at.
ANSWERS = ("", "An answer.")


def rehearse(plan: RunPlan, scorer: SampleScorer, *, judged: bool) -> None:
    """Refuses a plan with rows that its scorer cannot score by, or without a judge where samples would wait for one.

    What the code of a scorer calls by another name cannot be seen in it, so it is tried. A scorer that leaves only some
    answers to a judge may pass; then the run stops at the first of them.
    """
    own = is_own(plan.benchmark.scorer) and not plan.benchmark.needs_sandbox
    tried = [
        (problem, answer)
        for problem in chosen(plan)
        for answer in (ANSWERS if own else ANSWERS[:1])
    ]
    for (problem, _), score in zip(tried, scorer.batch(tried), strict=True):
        if score.reason.startswith(FAULT):
            raise SpecError(f"problem {problem.id!r}: {score.reason}", path=plan.benchmark.name)
        if score.pending and not judged:
            raise SpecError(JUDGE_MISSING, path=plan.benchmark.name)


def chosen(plan: RunPlan) -> list[Problem]:
    """Some problems, spread evenly over all."""
    count = len(plan.problems)
    return [
        plan.problems[place] for place in sorted({count * step // MOST for step in range(MOST)})
    ]
