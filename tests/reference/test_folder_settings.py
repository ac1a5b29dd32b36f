"""What can be set: which problems, which metric, which profile, how many workers, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from reference.folders import EXACT, Folders
from steelyard.batch.reference import Selection, Settings, format_errors, solution_schema
from steelyard.errors import DataError, SpecError, StoreError

TWO = {"1": "ka", "2": "<select2,1,3>['lo', 'mi', 'nu']"}
RIGHT = {"1": "ka", "2": ["mi", "nu"]}


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path)


@pytest.mark.parametrize(
    ("select", "ids"),
    [
        (Selection(years=(2003,)), ["2003-1", "2003-2"]),
        (Selection(numbers=(1,)), ["2003-1", "2004-1"]),
        (Selection(years=(2003, 2004), numbers=(2,)), ["2003-2"]),
        (Selection(ids=("demo", "2004-1")), ["2004-1", "demo"]),
    ],
)
def test_selection(select: Selection, ids: list[str], folders: Folders) -> None:
    for problem in ("2003-1", "2003-2", "2004-1", "demo"):
        folders.refer(problem, TWO)
    assert [p.id for p in folders.score(select=select).problems] == ids


@pytest.mark.parametrize("select", [Selection(ids=("nobody",)), Selection(years=(1900,))])
def test_a_selection_of_nothing_is_refused(select: Selection, folders: Folders) -> None:
    folders.refer("2003-1", TWO)
    with pytest.raises(DataError, match="reference"):
        folders.score(select=select)


def test_answer_formats_are_told_and_not_scored(folders: Folders) -> None:
    folders.refer("2003-1", TWO)
    folders.refer("2003-2", TWO)
    form = {"properties": {"1": {"type": "string"}, "2": {"type": "array"}}, "required": ["1", "2"]}
    folders.put("problems", "2003-1_problem.json", {"id": "2003-1", "answer_format": form})
    folders.put(
        "problems", "2003-2_problem.json", {"id": "2003-2", "answer_format": {"type": "nonsense"}}
    )
    folders.solve("2003-1", {"1": "ka", "2": "lo"})
    folders.solve("2003-2", RIGHT)
    found = folders.score(problems=str(folders.root / "problems"))
    assert [p.value for p in found.problems] == [0.75, 1.0]
    assert found.answer_format_misfits == 1
    assert folders.record("2003-1")["answer_format_errors"] == ['$.2: "lo" is not of type "array"']


@pytest.mark.parametrize(
    "form", [{"type": "nonsense"}, {"properties": {"1": {"$ref": "#/nowhere"}}}]
)
def test_a_format_that_cannot_be_used_is_not_charged_to_the_submission(
    form: Any, folders: Folders
) -> None:
    folders.refer("2003-1", TWO)
    folders.solve("2003-1", RIGHT)
    folders.put("problems", "2003-1_problem.json", {"id": "2003-1", "answer_format": form})
    found = folders.score(problems=str(folders.root / "problems"))
    assert (found.mean, found.answer_format_misfits) == (1.0, 0)
    assert folders.record("2003-1")["answer_format_errors"] == []
    assert [
        w for w in found.warnings if "2003-1_problem.json: answer_format: is not a JSON Schema" in w
    ]


@pytest.mark.parametrize(
    ("form", "errors"),
    [
        ({"1": {"type": "string"}, "2": {"type": "array", "minItems": 1}}, []),
        ({"1": {"type": "array"}, "2": {}}, ['$.1: "ka" is not of type "array"']),
        (
            {"type": {"type": "string"}, "1": {"type": "number"}},
            ['$.1: "ka" is not of type "number"'],
        ),
        ({"not": {"required": ["1"]}}, ["$: "]),
        ({"items": {"type": "string"}}, []),
        ({}, []),
    ],
)
def test_a_format_may_be_a_schema_for_each_question(
    form: Any, errors: list[str], folders: Folders
) -> None:
    found = format_errors(RIGHT, form)
    assert len(found) == len(errors)
    assert all(said.startswith(error) for said, error in zip(found, errors, strict=True))


def test_a_bare_format_is_a_schema_of_the_whole_solution_too() -> None:
    schema = solution_schema({"id": "2003-1", "answer_format": {"1": {"type": "string"}}})
    check = jsonschema_rs.validator_for(schema)
    assert check.is_valid({"answer": {"1": "ka"}, "explanation": ""})
    assert not check.is_valid({"answer": {"1": ["ka"]}, "explanation": ""})


def test_scores_may_go_where_the_solutions_are(folders: Folders) -> None:
    folders.refer("2003-1", TWO)
    folders.solve("2003-1", RIGHT)
    for reused in (0, 1):
        found = folders.score(output=str(folders.root / "solutions"))
        assert (found.mean, found.reused, found.warnings) == (1.0, reused, ())


def test_an_output_that_cannot_be_written(folders: Folders) -> None:
    folders.refer("2003-1", TWO)
    folders.put("", "taken", b"")
    with pytest.raises((DataError, StoreError), match="taken"):
        folders.score(output=str(folders.root / "taken"))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            Settings(),
            "1 with fuzzy entries and 1 with an explanation to judge; give --judge FILE, or --fuzzy sim",
        ),
        (
            Settings(fuzzy="exact"),
            "1 with an explanation to judge; give --judge FILE, or --no-explanations",
        ),
        (
            Settings(explanations=False),
            "1 with fuzzy entries; give --judge FILE, or --fuzzy similarity (or exact)",
        ),
        (Settings(fuzzy="exct"), "did you mean 'exact'"),
        (Settings(fuzzy="exact", explanation_weight=1.5), "from 0 to 1"),
        (Settings(fuzzy="exact", explanation_weight=float("nan")), "from 0 to 1"),
        (Settings(fuzzy="similarity", fuzzy_params={"threshold": 2}), "threshold"),
        (Settings(fuzzy="llm", fuzzy_params={"threshold": 0.5}), "no parameter 'threshold'"),
    ],
)
def test_what_cannot_be_done_is_refused_before_it_starts(
    settings: Settings, told: str, folders: Folders
) -> None:
    folders.refer("2003-1", {"1": "<fuzzy>a dog"}, {"rules": "r", "rule_checklist": ["c"]})
    folders.refer("2003-2", TWO)
    with pytest.raises((SpecError, DataError)) as caught:
        folders.score(settings)
    assert told in str(caught.value)
    assert not (folders.root / "out").exists()


def test_only_references_that_are_asked_for_need_a_judge(folders: Folders) -> None:
    folders.refer("2003-1", {"1": "<fuzzy>a dog"}, {"rules": "r", "rule_checklist": ["c"]})
    folders.refer("2003-2", TWO)
    folders.solve("2003-2", RIGHT)
    assert folders.score(Settings(), select=Selection(ids=("2003-2",))).mean == 1.0
    assert (
        folders.score(
            Settings(fuzzy="exact", explanation_weight=0), select=Selection(ids=("2003-1",))
        ).mean
        == 0.0
    )


def test_another_profile_is_shown_beside_ours(folders: Folders) -> None:
    folders.refer("2003-1", {"1": "[ka]", "2": "<select3,1,3>['a', 'b', 'c']"})
    folders.solve("2003-1", {"1": "[ka]", "2": ["x"]})
    folders.refer("2003-2", {"1": "ka"})
    folders.refer("2003-3", {"1": "ka"})
    folders.solve("2003-3", {"1": "ka"}, explanation=["no string"])
    folders.refer("2003-4", {"1": "ka"})
    folders.put("solutions", "2003-4.json", b"{")
    found = folders.score(Settings(fuzzy="exact", explanations=False, compat="lobster"))
    assert (found.mean, found.scored) == (1.5 / 4, 4)
    assert found.compat is not None
    assert (found.compat.profile, found.compat.scored, found.compat.differing) == ("lobster", 1, 2)
    left_out = [folders.record(f"2003-{n}")["compat"] for n in (2, 3, 4)]
    assert [(one["value"], one["reason"][:9]) for one in left_out] == [(None, "left out:")] * 3
    assert (found.compat.mean, found.compat.own_mean) == (1 / 3, 0.5)
    assert folders.record("2003-1")["compat"]["questions"] == {"1": 0.0, "2": 2 / 3}
    assert folders.score().compat is None


def test_workers_give_the_same_files(folders: Folders) -> None:
    for n in range(1, 121):
        folders.refer(f"2003-{n}", TWO)
        folders.solve(f"2003-{n}", {"1": "ka", "2": ["mi"] * (n % 2)})
    seen = []
    for workers in (1, 2):
        output = folders.root / f"out{workers}"
        found = folders.score(output=str(output), workers=workers)
        assert (found.total, found.mean) == (120, 0.625)
        seen.append({path.name: path.read_bytes() for path in output.glob("*.json")})
    assert seen[0] == seen[1]
    assert len(seen[0]) == 121


def test_the_settings_of_a_score_are_in_its_file(folders: Folders) -> None:
    folders.refer("2003-1", TWO)
    folders.solve("2003-1", RIGHT)
    folders.score(EXACT)
    signature = folders.record("2003-1")["signature"]
    assert set(signature) == {
        "engine",
        "settings",
        "reference",
        "state",
        "fault",
        "solution",
        "problem",
        "judge",
    }
    assert (signature["settings"]["fuzzy"], signature["settings"]["explanation_weight"]) == (
        "exact",
        0.0,
    )
