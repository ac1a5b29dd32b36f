"""Samples that only a judge can score."""

from __future__ import annotations

from steelyard.extract.found import Trace
from steelyard.registry import SCORERS
from steelyard.score import Score, pending
from steelyard.scoring.types import ScorerInput


@SCORERS.register("needs_judge", needs="nothing", judged=True)
def needs_judge(sample: ScorerInput, *, trace: Trace | None = None) -> Score:
    """A Score without a value, pending until a judge has spoken.

    >>> dict(needs_judge(ScorerInput(response="It depends.", target="42")))
    {'correct': False, 'needs_judge': True}
    """
    if trace is not None:
        trace.add("judge", "only a judge can score this; until then there is no number")
    return pending()
