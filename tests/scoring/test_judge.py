"""A sample that waits for the judge."""

from __future__ import annotations

from steelyard.extract.found import Trace
from steelyard.scoring.judge import needs_judge
from steelyard.scoring.types import ScorerInput


def test_it_is_pending_whatever_the_response_is() -> None:
    for response in ("", "42", "\ud800"):
        score = needs_judge(ScorerInput(response, "42"))
        assert dict(score) == {"correct": False, "needs_judge": True}
        assert score.status == "pending"
        assert score.value is None


def test_the_trace_says_so() -> None:
    trace = Trace()
    needs_judge(ScorerInput("x"), trace=trace)
    assert "judge" in trace.steps[0].note
