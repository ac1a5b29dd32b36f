"""The bundled puzzles: consistent, solvable, of every matching type, and worth what was worked out by hand."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from reference.languages import LANGUAGES, hemsket, ossari

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
    assert sorted(path.name for path in PUZZLES.glob("*_problem.json")) == [f"{i}_problem.json" for i in IDS]
    assert [name_of(row) for row in ROWS] == [f"{f}-{i}" for f in ("good", "partial", "bad") for i in IDS]
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


@pytest.mark.parametrize(
    ("key", "orders"),
    [
        ("b_1", hemsket("hrof", "norur", "fi'ren")),
        ("b_2", hemsket("fi'ren", "geldast", "ume")),
        ("c_all", hemsket("idra", "geldast", "fi'ren", "odde")),
    ],
)
def test_lists_of_orders_are_complete(key: str, orders: list[str]) -> None:
    text = reference("2026-1")["answer"][key].replace("\\'", "'")
    assert all(order in text for order in orders)
    assert text.count("ren") == len(orders)
