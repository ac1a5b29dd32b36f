"""``score --spec``: what its files say is checked, signed and never written over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands

SPEC: dict[str, Any] = {
    "dimensions": [
        {"name": "accuracy", "weight": 0.6, "primitive": "exact_match", "field": "a"},
        {"name": "speed", "weight": 0.4, "primitive": "time_decay", "time_limit_secs": 100},
    ]
}
ROW = '{"submission":{"a":1},"truth":{"a":1},"time_used":5}\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spec, a truth, a submission and a row in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("spec.json").write_text(json.dumps(SPEC))
    Path("truth.json").write_text('{"a":1}\n')
    Path("other.json").write_text('{"a":2}\n')
    Path("rows.jsonl").write_text(ROW)


def signed(steelyard: Commands, truth: str = "truth.json", time: str = "5", *more: str) -> str:
    files = [
        "--spec",
        "spec.json",
        "--submission",
        "truth.json",
        "--truth",
        truth,
        "--time-used",
        time,
    ]
    ran = steelyard("score", *files, *more, "--json")
    assert ran.code == 0, ran.err
    found: str = json.loads(ran.out)["signature"]
    assert f"signature  {found}" in steelyard("score", *files, *more).out
    return found


def test_one_submission_is_signed_by_all_that_shaped_its_number(steelyard: Commands) -> None:
    Path("steps.json").write_text('{"steps": []}')
    found = [
        signed(steelyard),
        signed(steelyard, "other.json"),
        signed(steelyard, "truth.json", "50"),
        signed(steelyard, "truth.json", "5", "--verified"),
        signed(steelyard, "truth.json", "5", "--trajectory", "steps.json"),
    ]
    assert len(set(found)) == len(found)
    assert len({one.partition("|data:")[0] for one in found}) == 1
    assert signed(steelyard) == found[0]


def test_it_has_the_signature_of_a_file_with_its_row(steelyard: Commands) -> None:
    summary = json.loads(steelyard("score", "--spec", "spec.json", "rows.jsonl", "--json").out)
    assert signed(steelyard) == summary["signature_text"]


@pytest.mark.parametrize("kind", ["test-suite", "custom-script"])
def test_no_file_that_the_spec_names_is_written_over(kind: str, steelyard: Commands) -> None:
    assert steelyard("init", kind, "made").code == 0
    named = [
        path
        for path in Path().glob("made*")
        if path.suffix in {".json", ".py"} and path.name != "made.truth.json"
    ]
    assert len(named) >= 2
    for path in named:
        before = path.read_bytes()
        Path("out.jsonl").unlink(missing_ok=True)
        Path("out.jsonl").symlink_to(path)
        ran = steelyard(
            "score",
            "--spec",
            "made.json",
            "made.cases.jsonl",
            "--unsafe-no-sandbox",
            "-o",
            "out.jsonl",
        )
        assert (ran.code, path.read_bytes()) == (2, before)
        assert "this is an input; it is never written over" in ran.err


def test_a_checker_that_a_task_names_is_not_written_over() -> None:
    from steelyard.batch.spec_plan import _named

    Path("in").mkdir()
    Path("in/task.json").write_text('{"checker": {"file": "check.py"}}')
    Path("in/check.py").write_text("def check(): ...")
    given = {"dimensions": [{"params": {"task": {"file": "in/task.json"}}}]}
    assert list(_named(Path("spec.json"), given)) == ["in/task.json", "in/check.py"]


@pytest.mark.parametrize("name", ["out.json", "out.json.gz", "out.parquet.zst"])
def test_an_output_says_what_it_is(name: str, steelyard: Commands) -> None:
    ran = steelyard("score", "--spec", "spec.json", "rows.jsonl", "-o", name)
    assert (ran.code, Path(name).exists()) == (2, False)


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        (
            '{"b": 1}',
            "truth.json: ground_truth.a: the ground truth has no such field; 'accuracy' needs it",
        ),
        (
            "[]",
            "truth.json: ground_truth.a: the ground truth is an empty array and has no such field",
        ),
    ],
)
def test_a_truth_for_all_rows_is_looked_at_before_the_first(
    truth: str, told: str, steelyard: Commands
) -> None:
    Path("truth.json").write_text(truth)
    Path("out.jsonl").write_text("OLD")
    ran = steelyard(
        "score", "--spec", "spec.json", "rows.jsonl", "--truth", "truth.json", "-o", "out.jsonl"
    )
    assert (ran.code, ran.out, Path("out.jsonl").read_text()) == (2, "", "OLD")
    assert ran.err.startswith(f"error: {told}")
    assert ran.err.count("\n") == 1


def test_a_row_whose_truth_is_null_has_none(steelyard: Commands) -> None:
    Path("rows.csv").write_text(
        'submission,truth,time_used\n"{""a"":1}",,\n"{""a"":1}","{""a"":2}",\n'
    )
    files = ["--spec", "spec.json", "rows.csv", "--time-used", "0", "-q", "-o", "-"]
    rows = [
        json.loads(line)
        for line in steelyard("score", *files, "--truth", "truth.json").out.splitlines()
    ]
    assert [row["value"] for row in rows] == [1.0, 0.4]
    assert steelyard("score", *files).code == 2


def test_the_summary_does_not_call_full_marks_by_the_name_of_a_dimension(
    steelyard: Commands,
) -> None:
    shown = steelyard("score", "--spec", "spec.json", "rows.jsonl").out
    assert "full marks      0.0000" in shown
    assert "accuracy" not in shown


@pytest.mark.parametrize("command", ["score", "explain"])
def test_what_is_wrong_with_the_truth_of_one_submission_names_its_file(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steelyard: Commands
) -> None:
    monkeypatch.chdir(tmp_path)
    spec = {
        "profile": "free",
        "dimensions": [{"name": "a", "weight": 1, "primitive": "fuzzy_string", "field": "a"}],
    }
    for name, value in (("spec", spec), ("sub", {"a": "x"}), ("t1", {"a": 5})):
        Path(f"{name}.json").write_text(json.dumps(value))
    ran = steelyard(
        command, "--spec", "spec.json", "--submission", "sub.json", "--truth", "t1.json"
    )
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: t1.json: ground_truth.a: the ground truth is 5; a string is needed\n"
