"""Unicode's normal forms of hostile texts: the same as Python's, and soon."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.judge.likeness import squeeze
from steelyard.primitives import fuzzy_string
from steelyard.text import compose as module
from steelyard.text.compose import Form, compose
from steelyard.text.fold import fold, light
from steelyard.text.maths.notation import tokens

FORMS: list[Form] = ["NFC", "NFKC", "NFKD"]
# Under the forms with a K the first becomes a mark that it is not by itself.
MARKS = "\uff9e\u0301\u0316\u0327\u0344\u0308\u0345\u05b0\u093c"


@settings(deadline=None)
@given(
    st.text(MARKS, min_size=1, max_size=6),
    st.sampled_from(["e", "", "ㄱ"]),
    st.sampled_from(FORMS),
)
def test_long_runs_of_marks_are_composed_as_short_ones_are(
    marks: str, letter: str, form: Form
) -> None:
    long = "a" * 5_000 + letter + marks * 501 + letter + marks
    assert compose(long, form) == unicodedata.normalize(form, long)


@pytest.mark.parametrize("offset", [0, 1, 249, 250, 5_000, 5_499])
def test_no_long_run_of_marks_slips_through(offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ordered: list[int] = []
    in_order = module._in_order
    monkeypatch.setattr(
        module, "_in_order", lambda run, form: ordered.append(len(run)) or in_order(run, form)
    )
    compose("é" * offset + "e" + "\u0301" * 500 + "e" * (6_000 - offset))
    assert ordered == [500]


@pytest.mark.parametrize(
    "marks", ["\u0301\u0323", "\uff9e\u0301", "\u0344\u0327", "\U0001d165\u093c"], ids=ascii
)
@pytest.mark.parametrize(
    "read",
    [
        lambda text: fuzzy_string(text, "abc"),
        lambda text: fuzzy_string("abc", text),
        fold,
        light,
        squeeze,
        lambda text: tokens(text[:20_000]),
    ],
    ids=["got", "want", "fold", "light", "squeeze", "tokens"],
)
def test_a_letter_with_very_many_marks_is_read_soon(read: object, marks: str) -> None:
    began = time.process_time()
    read("a" + marks * 200_000)  # type: ignore[operator]
    assert time.process_time() - began < 10  # by moving each past the others it takes minutes
