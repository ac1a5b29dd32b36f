"""A sample that waits for the judge."""

from __future__ import annotations

from steelyard.reading.found import Trace
from steelyard.scoring.judge import JudgeScoringConfig, judge_score, needs_judge
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


SAMPLE = ScorerInput("Paris", "Paris", {"question": "The capital of France?"})


def test_a_function_may_be_the_judge() -> None:
    asked: list[list[dict[str, str]]] = []

    def judge(messages: list[dict[str, str]]) -> str:
        asked.append(messages)
        tag = messages[0]["content"].partition("VERDICT-")[2].split()[0]
        return f'Evidence: Paris\nReason: it is\nVERDICT-{tag} {{"score": 4}}'

    score = judge_score(SAMPLE, judge=judge)
    assert (score["correct"], score.value) == (True, 0.8)
    assert [message["role"] for message in asked[0]] == ["system", "user"]
    assert "The capital of France?" in asked[0][0]["content"]
    assert "Capital of where?" not in asked[0][0]["content"]
    judge_score(SAMPLE, judge=judge, instruction="Capital of where?")
    assert "Capital of where?" in asked[1][0]["content"]
    strict = JudgeScoringConfig(threshold=1.0)
    assert judge_score(SAMPLE, judge=judge, config=strict).correct is False


def test_a_judge_that_fails_leaves_it_pending() -> None:
    def judge(messages: list[dict[str, str]]) -> str:
        raise TimeoutError("no answer")

    assert judge_score(SAMPLE, judge=judge).status == "pending"
    assert judge_score(SAMPLE, judge=lambda messages: None).status == "pending"  # type: ignore[arg-type,return-value]
    assert judge_score(SAMPLE, judge=lambda messages: "no idea").status == "unscored"


def test_the_document_s_names_are_here() -> None:
    import steelyard.scoring.judge as home

    assert home.parse_judge_response("Score: 3")["normalized"] == 0.6
    assert "Paris" in home.build_judge_prompt("?", "Paris", "Paris", home.JudgeScoringConfig())
    assert all(hasattr(home, name) for name in home.__all__)
    assert not hasattr(home, "nothing_of_the_kind")
