"""Specs that run programs: suites of tests and scripts of one's own, in evaluate."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from spec.programs import RIGHT, SCRIPT, TASK, by_script, suite
from spec.specs import dimension, free
from steelyard.errors import SandboxError, SpecError
from steelyard.sandbox import open_sandbox
from steelyard.sandbox.bubblewrap import Bubblewrap
from steelyard.spec import evaluate, lint_spec, load_spec, spec_signature


@pytest.mark.parametrize(
    ("code", "score", "breakdown"),
    [
        (RIGHT, 1000, [1000, 1000, 1000]),
        ("def f(x):\n    return 1", 800, [600, 1000, 1000]),
        ("def f(x):\n    return x + 1 if x else 7", 400, [400, 0, 1000]),
        ("def f(x):\n    return 9", 0, [0, 0, 0]),
        ("", 0, [0, 0, 0]),
        (None, 0, [0, 0, 0]),
        (["print(1)"], 0, [0, 0, 0]),
    ],
)
def test_a_suite_of_tests(code: Any, score: int, breakdown: list[int]) -> None:
    found = evaluate(suite(), {"code": code}, {"suite": TASK}, time_used=0)
    assert found.score == score
    assert [entry["score"] for entry in found.score_breakdown.values()] == breakdown
    assert found.sandbox is not None
    assert found.sandbox["unsafe"] is False


@pytest.mark.parametrize("submission", [None, 7, "code", [], {}, {"code": float("nan")}])
def test_no_submission_makes_it_raise(submission: Any) -> None:
    assert evaluate(suite(), submission, {"suite": TASK}, time_used=0).score == 0
    assert evaluate(by_script(), submission, {"x": 1}).score in {0, None}


def test_the_task_may_stand_in_the_spec() -> None:
    spec = free(dimension("correctness", 1, scorer="tests", field="code", task=TASK))
    assert load_spec(spec).dimensions[0].ground_truth_field is None
    assert evaluate(spec, {"code": RIGHT}, {}).score == 1000


def test_what_is_wrong_is_told_with_its_place() -> None:
    with pytest.raises(SpecError) as refused:
        load_spec(
            free(
                dimension("a", 0.5, scorer="tests", field="code", task={**TASK, "cases": [[1, 2]]}),
                dimension("b", 0.5, scorer="tests", field="code", task=TASK, group="egde"),
            )
        )
    assert [problem.path for problem in refused.value.problems] == [
        "dimensions[0].task.cases[0].args",
        "dimensions[1].group",
    ]
    with pytest.raises(SpecError, match=r"ground_truth\.suite\.cases\[0\]: must be"):
        evaluate(suite(), {"code": RIGHT}, {"suite": {**TASK, "cases": [7]}}, time_used=0)
    with pytest.raises(SpecError, match=r"dimensions\[1\]\.group: no case is in the group"):
        evaluate(suite(), {"code": RIGHT}, {"suite": {**TASK, "cases": [[[1], 2]]}}, time_used=0)
    with pytest.raises(SpecError, match="the ground truth has no such field"):
        evaluate(suite(), {"code": RIGHT}, {}, time_used=0)
    with pytest.raises(SpecError, match="script reads the submission and no field"):
        load_spec(by_script(field="x"))
    with pytest.raises(SpecError, match="is no Python"):
        load_spec(by_script("def score("))
    with pytest.raises(SpecError, match=r"dimensions\[0\]: script needs the parameter 'script'"):
        load_spec(free({"name": "a", "weight": 1, "scorer": "script"}))
    with pytest.raises(SpecError, match="code_sandbox has no such parameter"):
        load_spec(free(dimension("a", 1, scorer="code_sandbox", sandbox="none")))
    with pytest.raises(SpecError, match="'a' needs an object"):
        evaluate(by_script(), {}, [])


def test_a_script_scores_all_its_dimensions_in_one_run() -> None:
    found = evaluate(by_script(), {"x": 17}, {"x": 17})
    assert found.score == 625
    assert found.reasons == {"a": "the script gives 1000", "b": "a whole number"}
    assert evaluate(by_script(), {"x": 3}, {"x": 17}).score == 125


def test_a_failed_check_of_any_field_makes_what_a_script_scores_nothing() -> None:
    spec = {**by_script(), "format": [{"field": "y", "type": "string"}]}
    found = evaluate(spec, {"x": 17}, {"x": 17})
    assert found.score == 0
    assert found.reasons["a"].startswith("y: ")


def test_a_sandbox_that_fails_leaves_the_whole_without_a_score() -> None:
    gone = Bubblewrap(keep=0)
    gone.close()
    for spec, submission, truth in [
        (suite(), {"code": RIGHT}, {"suite": TASK}),
        (by_script(), {"x": 1}, {"x": 1}),
    ]:
        found = evaluate(spec, submission, truth, time_used=0, sandbox=gone)
        assert (found.score, found.result, found.total.status) == (None, None, "unscored")


def test_without_a_sandbox_nothing_is_scored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("steelyard.sandbox.opening._shared", {})
    with pytest.raises(SandboxError, match="bubblewrap is not installed"):
        evaluate(suite(), {"code": RIGHT}, {"suite": TASK}, time_used=0)
    assert evaluate(free(dimension("a", 1)), {"a": 1}, {"a": 1}).sandbox is None


def test_the_same_submission_gets_the_same_score_in_another_sandbox() -> None:
    with open_sandbox() as other:
        for spec, submission, truth in [
            (suite(), {"code": "def f(x):\n    return hash('a') or 1"}, {"suite": TASK}),
            (by_script(), {"x": 3}, {"x": 17}),
        ]:
            found = [
                evaluate(spec, submission, truth, time_used=0, sandbox=door)
                for door in (None, other, None)
            ]
            assert found[0].total == found[1].total == found[2].total
            assert len({one.signature for one in found}) == 1


def write(folder: Path, **files: Any) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", ".")
        path.write_text(
            content if isinstance(content, str) else json.dumps(content), encoding="utf-8"
        )
    return folder / "spec.json"


def test_files_beside_the_spec_are_part_of_it(tmp_path: Path) -> None:
    path = write(tmp_path, spec__json=by_script({"file": "own.py"}), own__py=SCRIPT)
    spec = load_spec(path)
    assert evaluate(spec, {"x": 17}, {"x": 17}).score == 625
    inline = load_spec(by_script())
    assert spec_signature(spec) == spec_signature(inline)
    (tmp_path / "own.py").write_text(SCRIPT.replace("250", "251"))
    assert spec_signature(load_spec(path)) != spec_signature(spec)
    (tmp_path / "own.py").unlink()
    assert pickle.loads(pickle.dumps(spec)) == spec  # what is loaded is whole
    assert evaluate(spec, {"x": 17}, {"x": 17}).score == 625


def test_a_task_its_checker_and_a_solution_may_be_files(tmp_path: Path) -> None:
    task = {
        "kind": "stdio",
        "cases": [["1", "x"]],
        "comparison": "custom",
        "checker": {"file": "check.py"},
    }
    spec = free(
        dimension(
            "a",
            1,
            scorer="tests",
            field="code",
            params={"task": {"file": "parts/task.json"}, "solution": {"file": "s.py"}},
        )
    )
    (tmp_path / "parts").mkdir()
    write(
        tmp_path / "parts",
        task__json=task,
        check__py="def check(i, o, e): return open(o).read() == 'ok\\n'",
    )
    path = write(tmp_path, spec__json=spec, s__py="print('ok')")
    assert evaluate(path, {"code": "print('ok')"}, {}).score == 1000
    assert evaluate(path, {"code": "print('no')"}, {}).score == 0
    assert lint_spec(path).ceiling.score == 1000


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("../own.py", "beside the spec"),
        ("/etc/passwd", "beside the spec"),
        (7, "beside the spec"),
        ("", "beside the spec"),
        ("absent.py", "no such file"),
        ("bytes.py", "not UTF-8"),
        ("a\0b", "beside the spec"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(name: Any, told: str, tmp_path: Path) -> None:
    folder = tmp_path / "specs"
    folder.mkdir()
    (tmp_path / "own.py").write_text(SCRIPT)
    (folder / "bytes.py").write_bytes(b"\xff")
    with pytest.raises(SpecError, match=told) as refused:
        load_spec(write(folder, spec__json=by_script({"file": name})))
    assert refused.value.path == "dimensions[0].script.file"


def test_a_spec_that_is_not_in_a_file_has_no_files_beside_it(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="give the text itself"):
        load_spec(by_script({"file": "own.py"}))
    with pytest.raises(SpecError, match="is not JSON"):
        load_spec(write(tmp_path, spec__json=suite(task={"file": "task.json"}), task__json="{"))
