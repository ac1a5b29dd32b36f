"""What lint says of references: tables of entries and of documents, and folders that are wrong as a whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from steelyard.batch.reference import lint_references
from steelyard.batch.reference.lint_explanation import is_placeholder
from steelyard.errors import DataError

CASES = Path(__file__).parent.parent / "cases" / "reference_lint"
QUIET = {"rules": "", "rule_checklist": []}


def table(name: str) -> list[Any]:
    return json.loads((CASES / name).read_text(encoding="utf-8"))


def by_name(case: dict[str, Any]) -> str:
    return case["name"]


def write(folder: Path, name: str, document: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize("case", table("entries.json"), ids=by_name)
def test_entries(case: dict[str, Any], tmp_path: Path) -> None:
    document = {"id": "2003-1", "answer": {"q": case["text"]}, "explanation": QUIET}
    write(tmp_path, "2003-1_reference_solution.json", document)
    report = lint_references(tmp_path)
    found = [finding for finding in report.findings if finding.question == "q"]
    assert len(found) == len(case["findings"]), found
    for finding, (level, reason) in zip(found, case["findings"], strict=True):
        assert finding.level == level
        assert reason in finding.reason
        assert finding.fix
        assert finding.file == "2003-1_reference_solution.json"
    errors = any(level == "error" for level, _ in case["findings"])
    assert (report.ok, report.exit_code()) == (not errors, int(errors))
    assert report.exit_code(strict=True) == int(bool(case["findings"]))


@pytest.mark.parametrize("case", table("documents.json"), ids=by_name)
def test_documents(case: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, case["file"], case["document"])
    report = lint_references(tmp_path)
    assert len(report.findings) == len(case["findings"]), report.findings
    for finding, (level, question, reason) in zip(report.findings, case["findings"], strict=True):
        assert (finding.file, finding.level, finding.question) == (case["file"], level, question)
        assert reason in finding.reason
        assert finding.fix


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "…",
        "?",
        "-",
        "todo",
        "TBD.",
        "n/a",
        "[TODO]",
        "Rule 12",
        "criterion a",
        "your rule here",
        "Lorem ipsum dolor",
        "TODO: write this",
        "{rule}",
    ],
)
def test_placeholders(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text",
    [
        "Plurals take -ma.",
        "Rule of vowel harmony",
        "Point of view is marked",
        "SOV",
        "x > y",
        "-ma",
        "Check vowel length first",
        "N",
        "numerals: base six",
    ],
)
def test_what_is_no_placeholder(text: str) -> None:
    assert not is_placeholder(text)


def test_two_files_with_one_id(tmp_path: Path) -> None:
    for name in ("2003-1", "2003-2"):
        document = {"id": "2003-1", "answer": {"1": "a"}, "explanation": QUIET}
        write(tmp_path, f"{name}_reference_solution.json", document)
    errors = [finding for finding in lint_references(tmp_path).findings if finding.level == "error"]
    assert [(e.file, e.reason) for e in errors] == [
        ("2003-2_reference_solution.json", "2003-1_reference_solution.json has the id '2003-1' too")
    ]


def test_a_key_given_twice(tmp_path: Path) -> None:
    text = '{"id": "2003-1", "answer": {"1": "a", "1": "b"}, "explanation": {"rules": "", "rule_checklist": []}}'
    (tmp_path / "2003-1_reference_solution.json").write_text(text)
    assert [f.question for f in lint_references(tmp_path).findings if "twice" in f.reason] == ["1"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"id": "2003-1",', "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"id": NaN}', "NaN is no JSON value"),
        (b"[" * 100_000, "nested deeper"),
        (b"", "not JSON"),
    ],
)
def test_files_that_cannot_be_read(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "2003-1_reference_solution.json").write_bytes(content)
    (finding,) = lint_references(tmp_path).findings
    assert finding.level == "error"
    assert told in finding.reason


@pytest.mark.parametrize("name", ["nowhere", "empty", "file"])
def test_folders_that_cannot_be_read(name: str, tmp_path: Path, steelyard: Commands) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=name):
        lint_references(tmp_path / name)
    ran = steelyard("reference", "lint", tmp_path / name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")


def test_problems_beside_the_references(tmp_path: Path) -> None:
    document = {
        "id": "2003-1",
        "answer": {"1": "a", "2": "<select1,1,1>['b']"},
        "explanation": QUIET,
    }
    write(tmp_path, "2003-1_reference_solution.json", document)
    fits = {
        "properties": {"1": {"type": "string"}, "2": {"type": "string"}},
        "required": ["1", "2"],
    }
    write(tmp_path, "2003-1_problem.json", {"id": "2003-1", "answer_format": fits})
    assert {finding.level for finding in lint_references(tmp_path).findings} == {"note"}
    write(tmp_path, "2003-1_problem.json", {"id": "2003-1", "answer_format": fits["properties"]})
    assert {finding.level for finding in lint_references(tmp_path).findings} == {"note"}
    write(tmp_path, "2003-1_problem.json", {"id": "2003-1", "answer_format": {"required": ["3"]}})
    write(tmp_path, "2003-2_problem.json", {"id": "2003-1", "answer_format": {"type": "nonsense"}})
    write(tmp_path, "2003-3_problem.json", {"id": "2003-3"})
    told = [f"{f.level} {f.file}: {f.reason}" for f in lint_references(tmp_path).findings]
    for part in (
        "error 2003-1_problem.json: 2003-1_reference_solution.json has no answer",
        'warning 2003-1_problem.json: the reference\'s own answer does not fit: $: "3"',
        "error 2003-2_problem.json: 2003-1_problem.json has the id",
        "error 2003-2_problem.json: is not a JSON Schema",
        "warning 2003-3_problem.json: there is no reference with the id '2003-3'",
        "warning 2003-3_problem.json: there is no 'answer_format'",
    ):
        assert any(line.startswith(part) for line in told), (part, told)


@pytest.mark.parametrize(
    "asked",
    [
        {"questions": {"1": "What is ka?", "2": "And lo?"}},
        {"answer_format": {"properties": {"1": {"type": "string"}, "2": {"type": "string"}}}},
        {"answer_format": {"1": {"type": "string"}, "2": {"type": "string"}}},
    ],
)
def test_a_question_without_a_reference_is_an_error(
    asked: dict[str, Any], tmp_path: Path, steelyard: Commands
) -> None:
    document = {"id": "2003-1", "answer": {"1": "ka"}, "explanation": QUIET}
    write(tmp_path, "2003-1_reference_solution.json", document)
    write(tmp_path, "2003-1_problem.json", {"id": "2003-1", **asked})
    errors = [one for one in lint_references(tmp_path).findings if one.level == "error"]
    assert [(one.file, one.question) for one in errors] == [("2003-1_problem.json", "2")]
    assert steelyard("reference", "lint", tmp_path).code == 1


def test_the_report_in_words_and_as_json(tmp_path: Path, steelyard: Commands) -> None:
    document = {
        "id": "2003-1",
        "answer": {"1": "<select3,1,1>['a', 'b', 'c']", "2": "e\u0301"},
        "explanation": QUIET,
    }
    write(tmp_path, "2003-1_reference_solution.json", document)
    ran = steelyard("reference", "lint", tmp_path)
    assert ran.code == 1
    assert (
        ran.out.splitlines()[0]
        == f"{tmp_path}: 1 reference, 2 questions: 1 error, 1 warning, 1 note"
    )
    assert "error     2003-1_reference_solution.json: 1: at most 1 item may be given" in ran.out
    assert "          fix: make maxlen at least 3" in ran.out
    found = json.loads(steelyard("reference", "lint", tmp_path, "--json").out)
    assert (found["ok"], found["errors"], found["warnings"], found["notes"]) == (False, 1, 1, 1)
    assert set(found["findings"][0]) == {"level", "file", "question", "reason", "fix"}
    document["answer"].pop("1")
    write(tmp_path, "2003-1_reference_solution.json", document)
    assert steelyard("reference", "lint", tmp_path).code == 0
    assert steelyard("reference", "lint", tmp_path, "--strict").code == 1


def test_hostile_texts_are_told_in_bounded_space(tmp_path: Path, steelyard: Commands) -> None:
    document = {
        "id": "2003-1",
        "answer": {"a\x1b[31m\ud800": "x" * 1_000_000, "b": "\u0301" * 200_000, "c": [[1]]},
    }
    write(tmp_path, "2003-1_reference_solution.json", document)
    for how in ([], ["--json"]):
        ran = steelyard("reference", "lint", tmp_path, *how)
        assert ran.code == 1
        assert len(ran.out) < 20_000
        assert "\x1b" not in ran.out
