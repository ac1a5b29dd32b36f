"""A folder of solutions against a folder of references: what each problem gets, and what the summary says."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from reference.folders import Folders, reference, solution
from steelyard.batch.reference import Settings
from steelyard.errors import DataError

TWO = {"1": "ka", "2": "<select2,1,3>['lo', 'mi', 'nu']"}
RIGHT = {"1": "ka", "2": ["mi", "nu"]}


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path)


def test_the_mean_is_over_all_references(folders: Folders) -> None:
    for problem in ("2003-1", "2003-2", "2003-10", "2004-1"):
        folders.refer(problem, TWO)
    folders.solve("2003-1", RIGHT)
    folders.solve("2003-2", {"1": "ka", "2": ["mi"]})
    folders.put("solutions", "2003-10.json", b'{"id": "2003-10", "answer":')
    found = folders.score()
    assert (found.total, found.scored, found.missing, found.malformed, found.skipped) == (
        4,
        4,
        1,
        1,
        0,
    )
    assert found.mean == (1 + 0.75) / 4 == found.answer_mean
    assert found.explanation_mean is None
    assert [(p.id, p.state, p.value) for p in found.problems] == [
        ("2003-1", "read", 1.0),
        ("2003-2", "read", 0.75),
        ("2003-10", "malformed", 0.0),
        ("2004-1", "missing", 0.0),
    ]
    assert found.exit_code == 0
    by_type = {t.type: (t.questions, t.scored, t.full, t.mean) for t in found.by_type}
    assert by_type == {"exact": (4, 4, 2, 0.5), "select": (4, 4, 1, 1.5 / 4)}
    assert "not JSON" in folders.record("2003-10")["reason"]
    assert folders.record("2004-1")["questions"][1]["reason"] == "there is no solution"
    assert json.loads((folders.root / "out" / "summary.json").read_bytes())["mean"] == found.mean


def test_a_malformed_solution_can_be_skipped_and_is_counted(folders: Folders) -> None:
    for problem in ("2003-1", "2003-2", "2003-3"):
        folders.refer(problem, TWO)
    folders.solve("2003-1", RIGHT)
    folders.solve("2003-2", "ka")
    found = folders.score(Settings(fuzzy="exact", explanations=False, malformed="skip"))
    assert (
        found.total,
        found.scored,
        found.skipped,
        found.unscored,
        found.malformed,
        found.missing,
    ) == (3, 2, 1, 0, 1, 1)
    assert (found.mean, found.worst, found.best) == (0.5, 1 / 3, 2 / 3)
    assert (folders.record("2003-2")["skipped"], folders.record("2003-2")["value"]) == (True, None)
    assert sum(kind.questions for kind in found.by_type) == 4


HOSTILE = {
    "numbers": {"1": 1, "2": [6]},
    "nested": {"1": [["ka"]], "2": [[["mi"]], {"a": "nu"}]},
    "nothing": {"1": None, "2": None},
    "empty": {"1": "", "2": []},
    "a list in a string": {"1": "[]", "2": "[]"},
    "surrogates": {"1": "\ud800", "2": ["\udfff", "x"]},
    "long": {"1": "ka" * 1_000_000, "2": ["mi" * 1_000_000]},
    "marks": {"1": "\u0301\u0316" * 100_000, "2": ["\u0316\u0301" * 100_000]},
    "many": {"1": "x", "2": [str(n) for n in range(100_000)]},
    "no question": {},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_solution_gets_a_zero_and_is_named(name: str, folders: Folders) -> None:
    folders.refer("2003-1", TWO)
    folders.refer("2003-2", TWO)
    folders.solve("2003-1", HOSTILE[name], explanation=["\ud800"])
    folders.solve("2003-2", RIGHT)
    found = folders.score()
    assert [p.value for p in found.problems] == [0.0, 1.0]
    assert found.mean == 0.5
    record = (folders.root / "out" / "2003-1_scores.json").read_bytes()
    assert len(record) < 50_000
    assert all(question["reason"] for question in json.loads(record)["questions"])


MALFORMED = {
    "a list": (b"[1]", "must hold an object"),
    "no id": (b'{"answer": {}}', "no 'id'"),
    "id of no use": (b'{"id": ["2003-1"], "answer": {}}', "must be a string, not a list"),
    "half an id": (b'{"id": "\\ud800", "answer": {}}', "surrogate"),
    "no answer": (b'{"id": "2003-1"}', "no 'answer'"),
    "answers in a list": (b'{"id": "2003-1", "answer": ["ka"]}', "not a list"),
    "NaN": (b'{"id": "2003-1", "answer": {"1": NaN}}', "NaN"),
    "deep": (
        b'{"id": "2003-1", "answer": {"1": ' + b"[" * 200 + b"]" * 200 + b"}}",
        "nested deeper",
    ),
    "empty": (b"", "not JSON"),
    "no UTF-8": (b"\xff", "not UTF-8"),
    "fenced": (b"```json\n{}\n```", "not JSON"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_solution_never_stops_the_run(name: str, folders: Folders) -> None:
    content, told = MALFORMED[name]
    folders.refer("2003-1", TWO)
    folders.refer("2003-2", TWO)
    folders.put("solutions", "2003-1.json", content)
    folders.solve("2003-2", RIGHT)
    found = folders.score()
    assert (found.malformed, found.missing, found.mean) == (1, 0, 0.5)
    assert told in found.problems[0].reason


def test_what_is_no_file_is_no_solution(folders: Folders) -> None:
    folders.refer("2003-1", TWO)
    (folders.root / "solutions" / "2003-1.json").mkdir()
    os.mkfifo(folders.root / "solutions" / "pipe.json")
    os.symlink("nowhere", folders.root / "solutions" / "2003-1_link.json")
    found = folders.score()
    assert (found.missing, found.malformed) == (0, 1)
    assert any(
        "pipe.json: not used: cannot be read: it is no regular file" in w for w in found.warnings
    )


def test_the_id_inside_decides(folders: Folders) -> None:
    folders.put("references", "x_reference_solution.json", reference("2003-1", TWO))
    folders.put("solutions", "2003-9.json", solution("2003-1", RIGHT))
    folders.put("solutions", "other.json", solution("1999-1", RIGHT))
    found = folders.score()
    assert (found.total, found.mean) == (1, 1.0)
    assert any(
        "other.json: there is no reference with the id '1999-1'" in w for w in found.warnings
    )


@pytest.mark.parametrize("problem", ["demo", "Pübl/ä 1", "..", 7, "x" * 900, "é"])
def test_other_ids_are_read_with_a_warning(problem: Any, folders: Folders) -> None:
    folders.put("references", "a_reference_solution.json", {**reference("", TWO), "id": problem})
    other = unicodedata.normalize("NFD", problem) if isinstance(problem, str) else problem
    folders.put("solutions", "a.json", {**solution("", RIGHT), "id": other})
    found = folders.score()
    assert found.mean == 1.0
    assert len(found.warnings) == 2
    assert len(list((folders.root / "out").glob("*_scores.json"))) == 1
    assert not list(folders.root.glob("*.json"))


@pytest.mark.parametrize("kind", ["references", "solutions", "problems"])
def test_two_files_with_one_id_are_an_error(kind: str, folders: Folders) -> None:
    folders.refer("2003-1", TWO)
    folders.solve("2003-1", RIGHT)
    folders.put("problems", "c_problem.json", {"id": "2003-3"})
    ends = {"references": "_reference_solution", "solutions": "", "problems": "_problem"}
    document = {**reference("2003-1", TWO), "answer_format": {}}
    for name in ("a", "b"):
        folders.put(kind, f"{name}{ends[kind]}.json", document)
    with pytest.raises(DataError, match="has the id '2003-1', and so has"):
        folders.score(problems=str(folders.root / "problems"))


def test_a_bad_question_is_struck_and_named(folders: Folders) -> None:
    folders.refer("2003-1", {"1": "ka", "2": "<select1,2>['a']", "3": 5})
    folders.refer("2003-2", TWO)
    folders.solve("2003-1", {"1": "ka", "2": "a", "3": "5"})
    folders.solve("2003-2", RIGHT)
    found = folders.score()
    assert (found.mean, found.scored, found.exit_code) == (1.0, 2, 2)
    assert [(f.file, f.question) for f in found.reference_faults] == [
        ("2003-1_reference_solution.json", "2"),
        ("2003-1_reference_solution.json", "3"),
    ]
    assert "three numbers" in found.reference_faults[0].reason
    unreadable = next(kind for kind in found.by_type if kind.type == "unreadable")
    assert (unreadable.questions, unreadable.scored, unreadable.mean) == (2, 0, None)


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"id": "2003-1", "answer": {}}', b'{"answer": {"1": "a"}}']
)
def test_a_bad_reference_never_stops_the_run(content: bytes, folders: Folders) -> None:
    folders.put("references", "2003-1_reference_solution.json", content)
    folders.refer("2003-2", TWO)
    folders.solve("2003-1", RIGHT)
    folders.solve("2003-2", RIGHT)
    found = folders.score()
    assert (found.total, found.scored, found.unscored, found.mean) == (2, 1, 1, 1.0)
    assert (found.worst, found.best, found.exit_code) == (0.5, 1.0, 2)
    assert found.reference_faults[0].file == "2003-1_reference_solution.json"
