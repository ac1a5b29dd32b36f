"""The bundled puzzles: consistent, solvable, of every matching type, and worth what was worked out by hand."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from commands import Commands
from reference.languages import LANGUAGES, hemsket, kwanimo, ossari, talune
from steelyard.batch.reference.recorded import load_judge
from steelyard.reference import parse_reference, score_solution
from steelyard.score import Score

CASES = Path(__file__).parent.parent / "cases"
PUZZLES = Path(str(resources.files("steelyard"))) / "data" / "puzzles"
IDS = [f"{year}-{number}" for year in (2025, 2026) for number in (1, 2, 3, 4)]
ROWS: list[dict[str, Any]] = json.loads((CASES / "puzzles.json").read_text(encoding="utf-8"))
FORMS: list[list[Any]] = json.loads((CASES / "puzzle_forms.json").read_text(encoding="utf-8"))


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PUZZLES / name).read_text(encoding="utf-8"))
    return found


def problem(puzzle: str) -> dict[str, Any]:
    return read(f"{puzzle}_problem.json")


def reference(puzzle: str) -> dict[str, Any]:
    return read(f"{puzzle}_reference_solution.json")


def name_of(row: dict[str, Any]) -> str:
    return f"{row['folder']}-{row['id']}"


def test_every_puzzle_is_there_whole() -> None:
    assert sorted(path.name for path in PUZZLES.glob("*_problem.json")) == [
        f"{i}_problem.json" for i in IDS
    ]
    assert [name_of(row) for row in ROWS] == [
        f"{f}-{i}" for f in ("good", "partial", "bad") for i in IDS
    ]
    for row in ROWS:
        assert read(f"{row['folder']}/{row['id']}_solution.json")["id"] == row["id"]
        assert reference(row["id"])["id"] == problem(row["id"])["id"] == row["id"]
        assert list(row["questions"]) == list(reference(row["id"])["answer"])


@pytest.mark.parametrize("puzzle", IDS)
def test_a_good_solution_has_the_form_that_the_problem_asks_for(puzzle: str) -> None:
    found = problem(puzzle)
    schema = jsonschema_rs.validator_for(found["answer_format"])
    assert schema.is_valid(read(f"good/{puzzle}_solution.json")["answer"])
    assert not schema.is_valid({})
    assert (
        list(found["questions"])
        == list(found["answer_format"]["properties"])
        == list(reference(puzzle)["answer"])
    )


@pytest.mark.parametrize(
    "shape",
    [
        r"[^<]",
        r"<fuzzy>[^<]",
        r"<select\d+,\d+,\d+>[^<]",
        r"<select\d+,\d+,inf>[^<]",
        r"<fuzzy><select",
        r"<select\d+,\d+,\d+><fuzzy>",
        r"<select1,1,1>",
        r"<select.*>\['",
        r"<select.*>\[\"",
        r"<select.*\w'\w",
        r".*_\{(du|pl)\}",
        r"\[\w+\]$",
        "[A-Z]$",
        ".*\u0300",
        ".*[^\x00-\x7f]",
    ],
)
def test_the_puzzles_use_every_shape_of_reference(shape: str) -> None:
    entries = [text for puzzle in IDS for text in reference(puzzle)["answer"].values()]
    assert any(re.match(shape, text) for text in entries)


def test_some_explanations_are_judged_and_some_are_not() -> None:
    explanations = [reference(puzzle)["explanation"] for puzzle in IDS]
    judged = [bool(explanation["rule_checklist"]) for explanation in explanations]
    assert judged == [bool(explanation["rules"]) for explanation in explanations]
    assert sum(judged) == 6


@pytest.mark.parametrize(("puzzle", "where", "text", "told"), FORMS)
def test_every_form_follows_the_grammar_of_its_language(
    puzzle: str, where: str, text: str, told: list[Any]
) -> None:
    built = LANGUAGES[puzzle](*told)
    found = [text.format(form) for form in (built if isinstance(built, list) else [built])]
    asked = problem(puzzle)
    if where == "content":
        lines = asked["content"].splitlines()
    elif text == "{}":
        lines = [reference(puzzle)["answer"][where]]
    else:
        lines = [asked["questions"][where]]
    assert set(found) & set(lines)


@pytest.mark.parametrize("puzzle", sorted({form[0] for form in FORMS}))
def test_every_line_of_data_is_looked_at(puzzle: str) -> None:
    given = re.findall(r"^.* = .*$|^\([A-H]\) .*$", problem(puzzle)["content"], re.MULTILINE)
    assert len(given) == sum(form[0] == puzzle and form[1] == "content" for form in FORMS) > 5


def test_kin_terms_follow_the_family_tree() -> None:
    asked, answer = problem("2025-3"), reference("2025-3")["answer"]
    told = re.findall(r"^(\w+) calls (\w+) ([\w-]+)$", asked["content"], re.MULTILINE)
    assert len(told) == 16
    assert all(whom in ossari(speaker, term) for speaker, whom, term in told)
    for key in ("a_1", "a_2", "a_3"):
        speaker, whom = re.findall(r"[A-Z]\w+", asked["questions"][key])[1:]
        assert whom in ossari(speaker, answer[key])
    assert ossari("Fenn", "gar-ile") == {"Senna", "Beko"}
    assert ossari("Ruva", "wem-wem") == {"Kai", "Nili", "Fenn"}


COMPLETE = {
    ("2025-1", "c_three"): [
        str(number) for number in range(10, 37) if "lo" in talune(number).split()
    ],
    ("2025-1", "d_single"): [str(number) for number in range(5, 41) if " " not in talune(number)],
    ("2026-1", "b_1"): hemsket("hrof", "norur", "fi'ren"),
    ("2026-1", "b_2"): hemsket("fi'ren", "geldast", "ume"),
    ("2026-1", "c_all"): hemsket("idra", "geldast", "fi'ren", "odde"),
    ("2026-2", "c_help"): [kwanimo(who, "hem", "1sg") for who in ("2sg", "2du", "2pl")],
}


@pytest.mark.parametrize(("puzzle", "key"), COMPLETE)
def test_lists_hold_all_that_is_right(puzzle: str, key: str) -> None:
    assert list(parse_reference(reference(puzzle)["answer"][key]).items) == COMPLETE[puzzle, key]


def fraction(worth: str | list[str], place: int) -> Fraction:
    """The value with the metric ``exact`` (place 0) or with the judge (place 1), where the two differ."""
    return Fraction(worth if isinstance(worth, str) else worth[place])


def near(value: float | None, wanted: Fraction) -> bool:
    return value is not None and abs(value - wanted) < Fraction(1, 10**12)


def scored(row: dict[str, Any], **how: Any) -> Score:
    solution = read(f"{row['folder']}/{row['id']}_solution.json")
    return score_solution(solution, reference(row["id"]), **how)


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_a_solution_earns_what_was_worked_out_without_a_judge(row: dict[str, Any]) -> None:
    score = scored(row, fuzzy="exact", explanation_weight=0)
    values = {part.name: part.score.value for part in score.parts}
    assert list(values) == list(row["questions"])
    assert all(near(values[name], fraction(worth, 0)) for name, worth in row["questions"].items())
    assert near(score.value, fraction(row["answer"], 0))


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_a_solution_earns_what_was_worked_out_with_the_recorded_judge(row: dict[str, Any]) -> None:
    score = scored(row, judge=load_judge(PUZZLES / "judge.jsonl"))
    wanted = [fraction(worth, 1) for worth in row["questions"].values()] + [
        Fraction(c) for c in row["criteria"]
    ]
    assert len(score.parts) == len(wanted)
    assert all(
        near(part.score.value, worth) for part, worth in zip(score.parts, wanted, strict=True)
    )
    assert all(part.score.reason for part in score.parts)
    assert near(score.detail["answer"], fraction(row["answer"], 1))
    assert row["explanation"] is None or near(
        score.detail["explanation"], Fraction(row["explanation"])
    )
    assert near(score.value, Fraction(row["solution"]))


@pytest.mark.parametrize("folder", ["good", "partial", "bad"])
def test_the_command_gives_the_same(steelyard: Commands, tmp_path: Path, folder: str) -> None:
    asked = [
        "reference",
        "score",
        "--references",
        PUZZLES,
        "--solutions",
        PUZZLES / folder,
        "--json",
    ]
    without = ["--fuzzy", "exact", "--no-explanations", "--output", tmp_path / "without"]
    judged = ["--judge", PUZZLES / "judge.jsonl", "--output", tmp_path / "judged"]
    rows = [row for row in ROWS if row["folder"] == folder]
    for place, ran in enumerate((steelyard(*asked, *without), steelyard(*asked, *judged))):
        assert (ran.code, ran.err) == (0, "")
        wanted = [
            Fraction(row["solution"]) if place else fraction(row["answer"], 0) for row in rows
        ]
        summary = json.loads(ran.out)
        assert [line["id"] for line in summary["problems"]] == IDS
        assert all(
            near(line["value"], w) for line, w in zip(summary["problems"], wanted, strict=True)
        )
        assert near(summary["mean"], sum(wanted, Fraction(0)) / 8)


def test_lint_has_nothing_to_say_but_that_two_explanations_are_not_judged(
    steelyard: Commands,
) -> None:
    ran = steelyard("reference", "lint", PUZZLES, "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["ok"], found["files"]) == (0, True, 8)
    assert [(one["level"], one["question"]) for one in found["findings"]] == [
        ("note", "explanation")
    ] * 2
