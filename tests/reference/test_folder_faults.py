"""What lies about in folders, and what is wrong with files, costs nobody what it should not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from reference.folders import EXACT, Folders
from steelyard.batch.reference import FolderTask, Settings, lint_references, score_runs
from steelyard.batch.reference.folder import read_solutions
from steelyard.batch.reference.ids import named_after
from steelyard.batch.reference.plan import make_plan
from steelyard.batch.reference.settings import Selection
from steelyard.errors import DataError, SpecError

ONE = {"1": "ka"}


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    made = Folders(tmp_path)
    made.refer("2003-1", ONE)
    made.solve("2003-1", ONE)
    return made


@pytest.mark.parametrize("kind", ["references", "solutions", "problems"])
def test_a_link_to_itself_stops_nobody(kind: str, folders: Folders) -> None:
    folders.put("problems", "2003-1_problem.json", {"id": "2003-1", "answer_format": {}})
    ends = {"references": "_reference_solution", "solutions": "", "problems": "_problem"}
    name = f"2004-1{ends[kind]}.json"
    os.symlink(name, folders.root / kind / name)
    found = folders.score(problems=str(folders.root / "problems"))
    assert [p.value for p in found.problems if p.id == "2003-1"] == [1.0]
    assert found.total == (2 if kind == "references" else 1)
    said = [*found.warnings, *map(str, found.reference_faults)]
    assert any(name in line and "cannot be read" in line for line in said)
    if kind == "references":
        assert any(
            "cannot be read" in f.reason for f in lint_references(folders.root / kind).findings
        )


def test_a_link_to_itself_is_no_run(folders: Folders) -> None:
    (folders.root / "solved").mkdir()
    os.symlink(folders.root / "solutions", folders.root / "solved" / "run_1")
    os.symlink("run_2", folders.root / "solved" / "run_2")
    task = FolderTask(
        references=str(folders.root / "references"),
        solutions="",
        output=str(folders.root / "out"),
        settings=EXACT,
    )
    found = score_runs(task, f"{folders.root}/solved/run_{{n}}")
    assert [line.n for line in found.settings[0].lines] == [1]


@pytest.mark.parametrize(
    ("checklist", "asks"),
    [
        (["c"], True),
        (["", "c"], True),
        ([""], False),
        (["  "], False),
        ([5], False),
        ([], False),
        ("c", False),
    ],
)
def test_only_a_criterion_in_words_needs_a_judge(
    checklist: Any, asks: bool, folders: Folders
) -> None:
    explanation = {"rules": "r", "rule_checklist": checklist}
    folders.refer("2003-1", ONE, explanation)
    settings = Settings(fuzzy="exact")
    assert settings.needs_judge({"answer": ONE, "explanation": explanation}) == (False, asks)
    if asks:
        with pytest.raises(SpecError, match="1 with an explanation to judge"):
            folders.score(settings)
    else:
        assert folders.score(settings).mean == 1.0


def signature(folders: Folders, **options: Any) -> Any:
    root = folders.root
    plan = make_plan(
        str(root / "references"),
        str(root / "solutions"),
        output=str(root / "out"),
        settings=EXACT,
        select=Selection(),
        **options,
    )
    return plan.signature(plan.jobs[0])


def test_a_missing_and_an_unreadable_solution_have_other_signatures(folders: Folders) -> None:
    path = folders.root / "solutions" / "2003-1_solution.json"
    found = [signature(folders)]
    path.unlink()
    found.append(signature(folders))
    os.symlink("nowhere", path)
    found.append(signature(folders))
    path.unlink()
    os.mkfifo(path)
    found.append(signature(folders))
    assert [one.state for one in found] == ["read", "missing", "malformed", "malformed"]
    assert [one.solution is None for one in found] == [False, True, True, True]
    assert len(set(map(repr, found))) == 4
    assert len({str(one) for one in found}) == 3
    folders.score()
    path.unlink()
    assert folders.score().reused == 0


def test_a_problem_is_in_the_signature(folders: Folders) -> None:
    problems = str(folders.root / "problems")
    seen = []
    for form in ({"type": "object"}, {"type": "array"}):
        folders.put("problems", "2003-1_problem.json", {"id": "2003-1", "answer_format": form})
        found = folders.score(problems=problems)
        seen.append((found.reused, found.answer_format_misfits, found.signature))
        assert folders.score(problems=problems).reused == 1
    assert [one[:2] for one in seen] == [(0, 0), (0, 1)]
    assert seen[0][2] != seen[1][2] != folders.score().signature


def test_the_text_of_a_signature_names_the_judge(folders: Folders) -> None:
    folders.refer("2003-1", {"1": "<fuzzy>a dog"})
    folders.solve("2003-1", {"1": "one dog"})
    said = {"ask": "equivalent", "reference": "a dog", "entry": "one dog", "value": True}
    folders.score(Settings(), judge=str(folders.put("", "judge.jsonl", said)))
    record = folders.record("2003-1")
    kind, digest = record["signature"]["judge"].split(":")
    assert record["signature_text"].endswith(f"|judge:{kind}:{digest[:12]}")
    assert len(digest) == 64


def test_keys_given_twice_are_told_without_problems_too(folders: Folders) -> None:
    folders.put(
        "solutions", "2003-1_solution.json", b'{"id": "2003-1", "answer": {"1": "x", "1": "ka"}}'
    )
    found = folders.score()
    assert found.mean == 1.0
    told = "the key '1' is given twice; the last one counts"
    assert [w.endswith(f"2003-1_solution.json: {told}") for w in found.warnings] == [True]
    assert folders.record("2003-1")["warnings"] == [told]


def test_our_own_files_are_no_solutions(folders: Folders) -> None:
    folders.refer("2003-2", ONE)
    folders.score()
    for name in ("2003-2_scores.json", "summary.json"):
        (folders.root / "solutions" / name).write_bytes((folders.root / "out" / name).read_bytes())
    found = folders.score(output=str(folders.root / "again"))
    assert (found.missing, found.malformed, found.warnings) == (1, 0, ())
    (folders.root / "solutions" / "2003-1_solution.json").unlink()
    with pytest.raises(DataError, match="holds scores"):
        read_solutions(folders.root / "solutions")


@pytest.mark.parametrize(
    "explanation", ["words", {"rules": 5, "rule_checklist": "x"}, {"rule_checklist": [5]}]
)
def test_a_bad_explanation_is_nobodys_business_where_none_is_judged(
    explanation: Any, folders: Folders, steelyard: Commands
) -> None:
    folders.refer("2003-1", ONE, explanation)
    args = ["reference", "score", *folders.args(), "--fuzzy", "exact", "--json"]
    judged, left_out = steelyard(*args), steelyard(*args, "--no-explanations")
    assert (judged.code, left_out.code) == (2, 0)
    assert json.loads(judged.out)["reference_faults"][0]["question"].startswith("explanation")
    assert json.loads(left_out.out)["reference_faults"] == []


@pytest.mark.parametrize(
    ("stem", "named"),
    [
        ("2003-1", "2003-1"),
        ("2003-1_solution", "2003-1"),
        ("2003-1.try", "2003-1"),
        ("2003-12", None),
        ("2003-1a", None),
        ("2003-11x", None),
        ("2003-11-2", "2003-11"),
        ("a%2Fb_solution", "a/b"),
        ("a%2Fbc", None),
        ("other", None),
    ],
)
def test_a_file_is_named_after_a_whole_id(stem: str, named: str | None) -> None:
    assert named_after(stem, ["2003-1", "2003-11", "a/b"]) == named


def test_a_malformed_file_of_a_longer_number_is_not_taken_for_a_shorter_one(
    folders: Folders,
) -> None:
    (folders.root / "solutions" / "2003-1_solution.json").unlink()
    folders.put("solutions", "2003-12.json", b"{")
    found = folders.score()
    assert (found.missing, found.malformed) == (1, 0)
