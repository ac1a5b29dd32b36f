"""Prompts: only the template has fields, whatever the data hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.bench.templates import Template, read_text
from steelyard.errors import DataError, SpecError

ROW = {
    "q": "Why?",
    "choices": ["yes", "no"],
    "who": {"name": "Ida"},
    "n": 3,
    "Best Answer": "so",
    "a.b": "dot",
    "none": None,
}


@pytest.mark.parametrize(
    ("source", "want"),
    [
        ("{q}", "Why?"),
        ("A) {choices[0]} B) {choices[1]}", "A) yes B) no"),
        ("{choices.1}", "no"),
        ("{who.name} {who[name]}", "Ida Ida"),
        ("{n} of {choices}", '3 of ["yes","no"]'),
        ("{Best Answer}", "so"),
        ("{a.b}", "dot"),
        ('{{"x": {n}}}', '{"x": 3}'),
        ("", ""),
        ("{{}}", "{}"),
        ("{{{q}}}", "{Why?}"),
    ],
)
def test_fields_are_set_in(source: str, want: str) -> None:
    assert Template.parse(source).render(ROW) == want


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{", "line 1: a single '{'"),
        ("a\n}", "line 2: a single '}'"),
        ("{}", "names no column"),
        ('{"answer": 1}', "names no column"),
        ("{x:.2f}", "names no column"),
        ("{x!r}", "names no column"),
        ("{.x}", "names no column"),
        ("{x[}", "cannot be read"),
        ("{x[0}", "cannot be read"),
    ],
)
def test_a_template_that_cannot_be_read_is_the_authors_error(source: str, said: str) -> None:
    with pytest.raises(SpecError, match="prompt") as wrong:
        Template.parse(source)
    assert said in str(wrong.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{qq}", "no column 'qq'; did you mean 'q'?"),
        ("{zzzzzzzz}", "it has q, choices"),
        ("{choices[2]}", "no '2' there"),
        ("{who.age}", "no 'age' there"),
        ("{q.__class__}", "no '__class__' there"),
        ("{none}", "is null"),
    ],
)
def test_what_a_row_lacks_is_named(source: str, said: str) -> None:
    with pytest.raises(DataError) as wrong:
        Template.parse(source).render(ROW)
    assert said in wrong.value.message


@given(st.dictionaries(st.sampled_from(["a", "b"]), st.text(), min_size=2))
def test_braces_in_data_are_text(row: dict[str, Any]) -> None:
    assert Template.parse("<{a}|{b}>").render(row) == f"<{row['a']}|{row['b']}>"


@given(st.text())
def test_doubled_braces_give_any_text_back(text: str) -> None:
    source = text.replace("{", "{{").replace("}", "}}")
    assert Template.parse(source).render({}) == text


def test_a_prompt_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "ask.txt").write_text("Q: {q}\n", encoding="utf-8")
    assert read_text("ask.txt", tmp_path, path="prompt") == "Q: {q}"
    assert (
        read_text("Answer the file ask.txt", tmp_path, path="prompt") == "Answer the file ask.txt"
    )
    with pytest.raises(SpecError, match=r"prompt: .*gone\.txt cannot be read"):
        read_text("gone.txt", tmp_path, path="prompt")
