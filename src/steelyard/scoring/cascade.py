"""Leave the answers that reading does not decide to a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.score import Score, pending
from steelyard.scoring.pattern import READERS

# The outcomes of reading that a judge may decide.
OUTCOMES = ("unclear", "missing")
JUDGE_MISSING = "needs a judge, and none is named: --judge-url URL --judge-id NAME"


def ask_judge(score: Score, outcomes: Sequence[str]) -> Score:
    """Make the Score of an answer with one of these outcomes wait for the judge.

    >>> from steelyard import ScorerInput, numeric_match
    >>> ask_judge(numeric_match(ScorerInput("41 or 42", "42")), ["unclear"]).status
    'scored'
    >>> ask_judge(numeric_match(ScorerInput("Answer: 41 or 42", "42")), ["unclear"]).reason
    'waits for the judge; unclear: several numbers: Answer: 41 or 42'
    """
    outcome = score.detail.get("reading")
    if score.value is None or outcome not in outcomes:
        return score
    waiting = pending(f"waits for the judge; {score.reason}")
    return with_reading(waiting, outcome)


def settle_verdict(score: Score, judged: Score) -> Score:
    """Return the judge's Score of an answer that a scorer left to it.

    A scorer that reads answers knows right and wrong only, so the verdict counts as 1 or 0: whether
    the judge's rating passes. The rating is in the detail.
    """
    outcome = score.detail.get("reading")
    if outcome not in OUTCOMES:
        return judged
    if judged.value is not None:
        judged = msgspec.structs.replace(judged, value=float(judged.correct), extracted=None)
    return with_reading(judged, outcome)


def judged_metadata(score: Score, metadata: dict[str, Any]) -> dict[str, Any]:
    """Return what a judge is told about a sample besides its texts.

    An answer that a scorer left to it is compared with the target, whatever criteria the sample has.
    """
    if score.detail.get("reading") not in OUTCOMES:
        return metadata
    from steelyard.judge.checklist import KEYS

    return {name: value for name, value in metadata.items() if name not in KEYS}


def with_reading(score: Score, outcome: Any) -> Score:
    """Return the Score with the outcome of reading in its detail."""
    return msgspec.structs.replace(score, detail={"reading": outcome, **score.detail})


def is_verdict(score: Score) -> bool:
    """Say whether a judge decided a Score that reading did not decide."""
    return "judge" in score.detail and score.detail.get("reading") in OUTCOMES


def check_reads(name: str, outcomes: Sequence[str]) -> None:
    """Refuse to leave answers to a judge where a scorer of this package reads none."""
    if outcomes and name not in READERS:
        readers = ", ".join(READERS)
        raise SpecError(
            f"the scorer {name!r} reads no answer that could be {outcomes[0]}; {readers} do",
            path=f"--{outcomes[0]} judge",
        )
