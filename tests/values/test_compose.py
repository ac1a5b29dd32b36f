"""Unicode normal forms of hostile texts: the same as Python's, in linear time."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from growth import grows_linearly
from steelyard.judge.prompt import plain_text
from steelyard.primitives import fuzzy_string
from steelyard.values import compose as module
from steelyard.values.compose import Form, compose
from steelyard.values.formulas import formula_form
from steelyard.values.normal import normal_form

FORMS: list[Form] = ["NFC", "NFKC", "NFKD"]
# Under the forms with a K the first becomes a mark that it is not by itself.
MARKS = "\uff9e\u0301\u0316\u0327\u0344\u0308\u0345\u05b0\u093c"


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.text(MARKS, min_size=1, max_size=6),
    st.sampled_from(["e", "", "ㄱ"]),
    st.sampled_from(FORMS),
)
def test_long_run_of_marks_is_composed_as_python_composes_it(
    marks: str, letter: str, form: Form
) -> None:
    long = "a" * 5_000 + letter + marks * 501 + letter + marks
    assert compose(long, form) == unicodedata.normalize(form, long)


@pytest.mark.parametrize("offset", [0, 1, 249, 250, 5_000, 5_499])
def test_every_long_run_of_marks_is_sorted(offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ordered: list[int] = []
    in_order = module._in_order
    monkeypatch.setattr(
        module, "_in_order", lambda run, form: ordered.append(len(run)) or in_order(run, form)
    )
    compose("é" * offset + "e" + "\u0301" * 500 + "e" * (6_000 - offset))
    assert ordered == [500]


@pytest.mark.slow
@pytest.mark.parametrize(
    "marks", ["\u0301\u0323", "\uff9e\u0301", "\u0344\u0327", "\U0001d165\u093c"], ids=ascii
)
@pytest.mark.parametrize(
    "read",
    [
        lambda text: fuzzy_string(text, "abc"),
        lambda text: fuzzy_string("abc", text),
        normal_form,
        formula_form,
        plain_text,
    ],
    ids=["got", "want", "normal_form", "formula_form", "plain_text"],
)
def test_letter_with_many_marks_is_read_in_linear_time(
    read: Callable[[str], object], marks: str
) -> None:
    assert grows_linearly(read, lambda size: "a" + marks * (size // 2), 10_000)
