"""``steelyard reference``: its options, its output, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from commands import Commands
from reference.folders import Folders

FLAGS = ["--fuzzy", "exact", "--no-explanations"]
TWO = {"1": "ka", "2": "<select2,1,3>['lo', 'mi', 'nu']"}


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    made = Folders(tmp_path)
    for n in (1, 2, 3):
        made.refer(f"200{n}-{n}", TWO)
    made.solve("2001-1", {"1": "ka", "2": ["mi", "nu"]})
    made.put("solutions", "2002-2.json", b"{")
    return made


def test_the_summary_in_words(folders: Folders, steelyard: Commands) -> None:
    ran = steelyard("reference", "score", *folders.args(), *FLAGS)
    assert (ran.code, ran.err) == (0, "")
    assert "mean            0.3333" in ran.out
    assert "scored / total  3 / 3 (1 missing, 1 malformed)" in ran.out
    assert "explanation     not judged" in ran.out
    assert "there is no solution" in ran.out
    assert "the solution is malformed: not JSON" in ran.out
    again = steelyard("reference", "score", *folders.args(), *FLAGS)
    assert "not scored again  3" in again.out
    assert steelyard("reference", "score", *folders.args(), *FLAGS, "-q").out == ""


def test_the_summary_as_json_is_the_file(folders: Folders, steelyard: Commands) -> None:
    ran = steelyard("reference", "score", *folders.args(), *FLAGS, "--json")
    assert ran.out.encode() == (folders.root / "out" / "summary.json").read_bytes()
    found = json.loads(ran.out)
    assert found["format"] == "steelyard.reference.summary/1"
    assert folders.record("2001-1")["format"] == "steelyard.reference.scores/1"


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--year", "2001", "--year", "2003"], ["2001-1", "2003-3"]),
        (["--number", "2"], ["2002-2"]),
        (["--id", "2003-3", "--id", "2001-1"], ["2001-1", "2003-3"]),
    ],
)
def test_selection(
    options: list[str], ids: list[str], folders: Folders, steelyard: Commands
) -> None:
    ran = steelyard("reference", "score", *folders.args(), *FLAGS, "--json", *options)
    assert [problem["id"] for problem in json.loads(ran.out)["problems"]] == ids


def test_a_bad_reference_is_named(folders: Folders, steelyard: Commands) -> None:
    folders.refer("2004-1", {"a": "<select1>['x']", "b": "ka"})
    ran = steelyard("reference", "score", *folders.args(), *FLAGS)
    assert ran.code == 2
    assert (
        "bad reference: 2004-1_reference_solution.json: a: the tag '<select1>' needs three numbers"
        in ran.out
    )


def test_without_a_judge_one_line_says_which_flags_help(
    folders: Folders, steelyard: Commands
) -> None:
    folders.refer("2004-1", {"a": "<fuzzy>x"}, {"rules": "r", "rule_checklist": ["c"]})
    ran = steelyard("reference", "score", *folders.args())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "--fuzzy similarity (or exact) and --no-explanations" in ran.err
    assert not (folders.root / "out").exists()
    assert (
        steelyard(
            "reference", "score", *folders.args(), "--fuzzy", "similarity", "--no-explanations"
        ).code
        == 0
    )


def test_similarity_and_its_threshold(folders: Folders, steelyard: Commands) -> None:
    folders.refer("2004-1", {"a": "<fuzzy>abcdefghij"})
    folders.solve("2004-1", {"a": "abcdefghiX"})
    args = ["reference", "score", *folders.args(), "--no-explanations", "--id", "2004-1", "--json"]
    for threshold, value in (("0.9", 1.0), ("0.95", 0.0)):
        ran = steelyard(*args, "--fuzzy", "similarity", "--fuzzy-threshold", threshold)
        assert json.loads(ran.out)["mean"] == value
    assert folders.record("2004-1")["questions"][0]["evidence"]["threshold"] == 0.95


def test_a_metric_of_ones_own(folders: Folders, steelyard: Commands) -> None:
    folders.refer("2004-1", {"a": "<fuzzy>abc"})
    folders.solve("2004-1", {"a": "xyz"})
    own = folders.put(
        "",
        "own.py",
        b"def same(got, want, threshold=1):\n    return len(got) * threshold == len(want)\n",
    )
    args = [
        "reference",
        "score",
        *folders.args(),
        "--no-explanations",
        "--id",
        "2004-1",
        "--json",
        "--fuzzy",
    ]
    assert json.loads(steelyard(*args, f"{own}:same").out)["mean"] == 1.0
    assert json.loads(steelyard(*args, f"{own}:same", "--fuzzy-threshold", "2").out)["mean"] == 0.0
    assert "has no function 'other'" in steelyard(*args, f"{own}:other").err
    own.write_text("def same(got):\n    return True\n")
    assert "takes two texts" in steelyard(*args, f"{own}:same").err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (["--references", "nowhere"], "nowhere: there is no such folder"),
        (["--solutions", "nowhere"], "nowhere: there is no such folder"),
        (["--problems", "nowhere"], "nowhere: there is no such folder"),
        (["--judge", "nowhere"], "nowhere: cannot be read"),
        (["--runs", "x/{n}"], "either --solutions DIR or --runs"),
        (["--explanation-weight", "2"], "from 0 to 1"),
        (["--fuzzy", "lllm"], "did you mean 'llm'"),
        (["--id", "1999-9"], "--id 1999-9"),
        (["--malformed", "maybe"], "maybe"),
    ],
)
def test_bad_options(change: list[str], told: str, folders: Folders, steelyard: Commands) -> None:
    ran = steelyard("reference", "score", *folders.args(), *FLAGS, *change)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert not (folders.root / "out").exists()


def test_both_profiles_are_shown(folders: Folders, steelyard: Commands) -> None:
    folders.solve("2001-1", {"1": "ka", "2": ["mi"]})
    ran = steelyard(
        "reference", "score", *folders.args(), *FLAGS, "--compat", "lobster", "--id", "2001-1"
    )
    assert "mean            0.7500" in ran.out
    assert "as lobster      1.0000 (ours over the same 1: 0.7500)" in ran.out


FORM: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["1", "$ref"],
    "properties": {
        "1": {"$ref": "#/definitions/word"},
        "$ref": {"enum": [{"$ref": "#/definitions/word"}]},
    },
    "definitions": {"word": {"type": "string", "minLength": 1}},
    "additionalProperties": False,
}


def test_the_schema_of_a_whole_solution(folders: Folders, steelyard: Commands) -> None:
    path = folders.put("problems", "2001-1_problem.json", {"id": "2001-1", "answer_format": FORM})
    ran = steelyard("reference", "schema", path)
    assert ran.code == 0, ran.err
    schema = json.loads(ran.out)
    check = jsonschema_rs.validator_for(schema)
    answer = {"1": "ka", "$ref": {"$ref": "#/definitions/word"}}
    assert check.is_valid({"id": "2001-1", "answer": answer, "explanation": "because"})
    assert check.is_valid({"answer": answer, "explanation": ""})
    for wrong in (
        {"answer": answer},
        {"explanation": ""},
        {"answer": {"1": "ka"}, "explanation": ""},
        {"answer": {**answer, "1": ""}, "explanation": ""},
        {"answer": answer, "explanation": 1},
        {"answer": answer, "explanation": "", "more": 1},
        {"id": "2001-2", "answer": answer, "explanation": ""},
    ):
        assert not check.is_valid(wrong), wrong
    strict = json.loads(steelyard("reference", "schema", path, "--strict").out)
    assert list(strict["properties"]) == strict["required"] == ["answer", "explanation"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "not JSON"),
        (b"[]", "must hold an object"),
        (b'{"id": "1"}', "no 'answer_format'"),
        (b'{"answer_format": 5}', "must be a JSON Schema"),
        (b'{"answer_format": {"type": "nonsense"}}', "not a JSON Schema"),
        (b'{"answer_format": {"$ref": "http://example.com/x"}}', "outside of the schema"),
    ],
)
def test_problems_without_a_schema(
    content: bytes, told: str, folders: Folders, steelyard: Commands
) -> None:
    path = folders.put("problems", "x_problem.json", content)
    ran = steelyard("reference", "schema", path)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert "x_problem.json" in ran.err


def test_the_help_names_what_there_is(steelyard: Commands) -> None:
    shown = steelyard("reference", "--help").out
    assert all(name in shown for name in ("lint", "score", "schema"))
    flags = steelyard("reference", "score", "--help").out
    for flag in (
        "--references",
        "--solutions",
        "--problems",
        "--output",
        "--fuzzy",
        "--explanation-weight",
        "--judge",
        "--malformed",
        "--year",
        "--number",
        "--id",
        "--overwrite",
        "--runs",
        "--compat",
    ):
        assert flag in flags
