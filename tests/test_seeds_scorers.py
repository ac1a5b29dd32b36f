"""The examples of the document on scorers and metrics, with the package's name changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SHOWN = Path(__file__).parent / "cases" / "seeds" / "failure_analysis.json"


def test_exact_match() -> None:
    from steelyard import ScorerInput, exact_match

    s = ScorerInput(response="  Paris.  ", target="paris")
    assert exact_match(s) == {"correct": True}


def test_multichoice_regex() -> None:
    from steelyard import ScorerInput, multichoice_regex

    s = ScorerInput(response="The answer is B because...\nAnswer: B", target="B")
    assert multichoice_regex(s) == {"correct": True, "extracted": "B"}
    assert multichoice_regex(s, pattern=r"(?i)Answer\s*:\s*([A-J])") == {
        "correct": True,
        "extracted": "B",
    }
    s = ScorerInput(response="Answer: j", target="J")
    assert multichoice_regex(s, pattern=r"(?i)Answer\s*:\s*([A-J])") == {
        "correct": True,
        "extracted": "J",
    }


def test_answer_line() -> None:
    from steelyard import ScorerInput, answer_line

    s = ScorerInput(response="Step 1: ...\nAnswer: 42", target="42")
    assert answer_line(s) == {"correct": True, "extracted": "42"}


def test_numeric_match() -> None:
    from steelyard import ScorerInput, numeric_match

    s = ScorerInput(response="The total is 20 + 22 = 42", target="42")
    assert numeric_match(s) == {"correct": True, "extracted": "42"}


def test_fuzzy_match() -> None:
    from steelyard import ScorerInput, fuzzy_match

    s = ScorerInput(
        response="The capital is Canberra.",
        target="Canberra",
        metadata={"correct_answers": ["Canberra", "canberra"]},
    )
    assert fuzzy_match(s) == {"correct": True, "extracted": "The capital is Canberra."}


def test_needs_judge() -> None:
    from steelyard import ScorerInput, needs_judge

    assert needs_judge(ScorerInput(response="x", target="y")) == {
        "correct": False,
        "needs_judge": True,
    }


def test_validate_json_schema() -> None:
    from steelyard.scoring import validate_json_schema

    response_text = 'Here it is:\n```json\n{"answer": "42"}\n```'
    result = validate_json_schema(response_text, schema={"type": "object", "required": ["answer"]})
    assert result == {"valid": True, "extracted": {"answer": "42"}, "score": 1.0}


@pytest.mark.parametrize("module", ["text", "pattern", "json_schema", "types", "judge"])
def test_the_modules_have_the_documents_names(module: str) -> None:
    import importlib

    assert importlib.import_module(f"steelyard.scoring.{module}")


def test_pass_at_k() -> None:
    from steelyard.metrics import pass_at_k

    assert pass_at_k(n=8, c=3, k=1) == 3 / 8
    assert pass_at_k(n=8, c=3, k=4) == 1 - 5 / 70


def test_bootstrap_ci() -> None:
    from steelyard.metrics import bootstrap_ci

    scores = [1.0] * 30 + [0.0] * 10
    ci = bootstrap_ci(scores)
    shown = f"pass@1: {ci.value:.4f} [{ci.ci_lower:.4f}, {ci.ci_upper:.4f}]"
    assert shown.startswith("pass@1: 0.7500 [0.6")
    assert ci.ci_lower < 0.75 < ci.ci_upper


def test_category_breakdown() -> None:
    from steelyard.metrics.aggregation import category_breakdown

    results = [
        {"reward": 1.0, "metadata": {"category": "law"}},
        {"reward": 0.0, "metadata": {"category": "law"}},
        {"reward": 1.0, "metadata": {"category": "art"}},
        {"reward": 1.0, "metadata": {}},
    ]
    cats = category_breakdown(results, "category")
    shown = [f"{c.category}: {c.mean_reward:.3f} ({c.n_samples} samples)" for c in cats]
    assert shown == [
        "art: 1.000 (1 samples)",
        "law: 0.500 (2 samples)",
        "unknown: 1.000 (1 samples)",
    ]


def test_failure_analysis(tmp_path: Path) -> None:
    from steelyard.metrics import ArtifactCollector

    collector = ArtifactCollector()
    for index in range(200):
        collector.add(**_sample(index))
    collector.write(tmp_path / "failure_analysis.json")
    found = json.loads((tmp_path / "failure_analysis.json").read_text(encoding="utf-8"))
    shown = json.loads(SHOWN.read_text(encoding="utf-8"))
    assert {key: found[key] for key in ("total_failures", "failure_rate", "categories")} == {
        key: shown[key] for key in ("total_failures", "failure_rate", "categories")
    }
    assert shown["exemplars"][0] in found["exemplars"]
    assert all(set(exemplar) == set(shown["exemplars"][0]) for exemplar in found["exemplars"])


def _sample(index: int) -> dict[str, object]:
    """Of 200 samples five refuse, four have no answer in them, three time out; the others are right."""
    wrong: dict[str, object] = {"problem_idx": index, "correct": False, "extracted": None}
    if 42 <= index < 47:
        return {**wrong, "response": "I'm sorry, I cannot..."}
    if 60 <= index < 64:
        return {**wrong, "response": "What a nice question, let me think about it."}
    if 80 <= index < 83:
        return {**wrong, "response": "", "error": "Request timeout after 60 s"}
    return {"problem_idx": index, "correct": True, "extracted": "A", "response": "Answer: A"}
