"""``steelyard lint``: what it finds, what it proposes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands

EXAMPLE = Path(__file__).parent.parent / "cases" / "seeds" / "spec.json"
TRUTH = {"expected_answers": ["a", "b"], "all_questions": [1, 2]}


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    (tmp_path / "truth.json").write_text(json.dumps(TRUTH), encoding="utf-8")
    return tmp_path / "truth.json"


def closed(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec with the gates that keep an answer without anything right from earning points."""
    return {
        **spec,
        "dimensions": [
            dimension
            if dimension["name"] == "accuracy"
            else {**dimension, "requires": {"accuracy": 1}}
            for dimension in spec["dimensions"]
        ],
    }


@pytest.mark.parametrize("with_truth", [False, True])
def test_a_spec_that_pays_for_nothing_is_flagged(
    with_truth: bool, steelyard: Commands, truth: Path
) -> None:
    ran = steelyard("lint", EXAMPLE, *(["--truth", truth] if with_truth else []))
    assert ran.code == 1
    assert ran.out.splitlines()[0] == f"{EXAMPLE}: 1 error, 3 notes"
    assert "ceiling   1000, a win: the ground truth" in ran.out
    assert "floor     400, a draw: everything attempted at once" in ran.out
    assert '"speed" needs "requires": {"accuracy":1}' in ran.out


def test_the_report_as_json(steelyard: Commands) -> None:
    ran = steelyard("lint", EXAMPLE, "--json")
    found = json.loads(ran.out)
    assert ran.code == 1
    assert (found["ok"], found["floor"]["score"], found["floor"]["result"]) == (False, 400, "draw")
    assert found["ceiling"]["score"] == 1000
    assert any("requires" in finding.get("fix", "") for finding in found["findings"])


def test_the_gates_make_it_clean(steelyard: Commands, truth: Path, tmp_path: Path) -> None:
    spec = tmp_path / "closed.json"
    spec.write_text(
        json.dumps(closed(json.loads(EXAMPLE.read_text(encoding="utf-8")))), encoding="utf-8"
    )
    ran = steelyard("lint", spec, "--truth", truth)
    assert ran.code == 0, ran.out
    found = json.loads(steelyard("lint", spec, "--truth", truth, "--json").out)
    assert (found["ok"], found["floor"]["score"], found["floor"]["result"]) == (True, 0, "loss")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON"),
        ("[]", "a spec is an object"),
        ('{"dimensions": []}', "dimensions"),
        ('{"dimensions": [{"name": "a", "weight": 1e400}]}', "dimensions[0].weight"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_spec_that_cannot_be_loaded(
    text: str, told: str, steelyard: Commands, tmp_path: Path
) -> None:
    (tmp_path / "bad.json").write_text(text)
    ran = steelyard("lint", tmp_path / "bad.json")
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert str(tmp_path / "bad.json") in ran.err
    ran = steelyard("lint", tmp_path / "bad.json", "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["findings"][0]["level"] == "error"


@pytest.mark.parametrize("name", ["no_such.json", "."])
def test_a_spec_that_cannot_be_read(name: str, steelyard: Commands, tmp_path: Path) -> None:
    ran = steelyard("lint", tmp_path / name)
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be read" in ran.err


@pytest.mark.parametrize(
    ("content", "told"), [("{}", "expected_answers"), ("nonsense", "truth.json: not JSON")]
)
def test_a_ground_truth_that_cannot_be_used(
    content: str, told: str, steelyard: Commands, truth: Path
) -> None:
    truth.write_text(content)
    ran = steelyard("lint", EXAMPLE, "--truth", truth)
    assert ran.code == 2
    assert told in ran.out + ran.err


def test_warnings_and_notes_are_no_failure(steelyard: Commands, tmp_path: Path) -> None:
    weights = {"correctness": 0.7, "mine": 0.3}
    spec = {
        "dimensions": [
            {"name": name, "weight": weight, "primitive": "exact_match", "field": name}
            for name, weight in weights.items()
        ]
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    (tmp_path / "nothing.json").write_text('{"correctness": "x", "mine": null}', encoding="utf-8")
    ran = steelyard("lint", tmp_path / "spec.json", "--truth", tmp_path / "nothing.json")
    assert ran.code == 0
    assert ran.out.splitlines()[0].endswith("1 warning, 2 notes")
    assert "floor     300, a loss: all null" in ran.out
    assert "a submission that says nothing is right" in ran.out
    told = " ".join(steelyard("lint", "--help").out.split())
    assert "0 where there is no error (warnings and notes are told), 1 where there is one" in told


@pytest.mark.parametrize("content", [None, "{", "\udcff"])
def test_a_truth_that_cannot_be_read_is_a_report_too(
    content: str | None, steelyard: Commands, tmp_path: Path
) -> None:
    spec = {
        "profile": "free",
        "dimensions": [{"name": "a", "weight": 1, "primitive": "exact_match", "field": "a"}],
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    if content is not None:
        (tmp_path / "truth.json").write_bytes(content.encode(errors="surrogateescape"))
    ran = steelyard("lint", tmp_path / "spec.json", "--truth", tmp_path / "truth.json", "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["exit_code"], report["ok"]) == (2, 2, False)
    [finding] = report["findings"]
    assert (finding["level"], finding["path"]) == ("error", "ground_truth")
    assert "truth.json" in finding["message"]


def test_what_is_wrong_with_the_truth_names_its_file(steelyard: Commands, tmp_path: Path) -> None:
    (tmp_path / "t1.json").write_text('{"expected_answers": []}', encoding="utf-8")
    ran = steelyard("lint", EXAMPLE, "--truth", tmp_path / "t1.json")
    assert ran.code == 2
    assert (
        f"error     {tmp_path / 't1.json'}: ground_truth.expected_answers: the ground truth is an empty array"
        in ran.out
    )
    told = json.loads(steelyard("lint", EXAMPLE, "--truth", tmp_path / "t1.json", "--json").out)
    assert told["findings"][0]["path"] == "ground_truth.expected_answers"
