"""A few samples scored before anybody is asked: they show whether a scorer of the user's leaves answers to a judge."""

from __future__ import annotations

from steelyard.bench.definition import JUDGE_MISSING, Problem
from steelyard.bench.scorers import is_own
from steelyard.errors import SpecError
from steelyard.runs.plan import RunPlan
from steelyard.runs.scoring import SampleScorer

MOST = 8
# A scorer may look at nothing before it has something to look at.
ANSWERS = ("", "An answer.")


def rehearse(plan: RunPlan, scorer: SampleScorer) -> None:
    """Refuses the plan of a run without a judge where one of these samples would wait for one.

    What the code of a scorer calls by another name cannot be seen in it, so it is tried. A scorer that leaves only some
    answers to a judge may pass; then the run stops at the first of them.
    """
    if not is_own(plan.benchmark.scorer) or plan.benchmark.needs_sandbox:
        return
    problems = chosen(plan)
    scores = scorer.batch([(problem, answer) for problem in problems for answer in ANSWERS])
    if any(score.pending for score in scores):
        raise SpecError(JUDGE_MISSING, path=plan.benchmark.name)


def chosen(plan: RunPlan) -> list[Problem]:
    """Some problems, spread evenly over all."""
    count = len(plan.problems)
    return [plan.problems[place] for place in sorted({count * step // MOST for step in range(MOST)})]
