"""What holds for all references and all entries."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from typing import Any, Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steelyard.errors import SpecError
from steelyard.reference import (
    match_entry,
    normalise_entry,
    parse_reference,
    perfect_entry,
    score_solution,
)
from steelyard.reference.normal import key_of

FORMS: list[Literal["NFC", "NFD"]] = ["NFC", "NFD"]
PIECES = st.sampled_from(
    [
        "a",
        "B",
        "é",
        "e\u0301",
        "ŋ",
        "ṣ\u0307",
        "'",
        '"',
        "\\",
        " ",
        ".",
        "[",
        "]",
        "*",
        "_",
        "_{sg}",
        " (pl)",
        "¹",
        "ɔ\u0301",
        "<",
        ",",
        "ʔ",
        "漢",
    ]
)
WORDS = st.lists(PIECES, min_size=1, max_size=8).map("".join) | st.text(min_size=1, max_size=8)
ITEMS = st.lists(WORDS, min_size=1, max_size=8, unique_by=key_of)
SPACES = st.text(" \t\n\u00a0\u2000\u3000", max_size=3)
HOSTILE: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=5)
    | st.just("\ud800"),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def select(items: list[str], reflen: int, minlen: int = 0, maxlen: float = math.inf) -> str:
    notation = json.dumps(items) if len(items) % 2 else repr(items)
    return f"<select{reflen},{minlen},{maxlen}>{notation}"


def form_of(text: str) -> tuple[str, str]:
    """The normal form by the letter of the rules; where nothing is left, the text stands for itself."""
    bare = text = unicodedata.normalize("NFC", text).strip()
    bare = re.sub(r"_\{(sg|du|pl)\}", r"(\1)", bare)
    bare = re.sub(r" \((sg|du|pl)\)", r"(\1)", bare)
    for mark in ("[", "]", "**", "_"):
        bare = "".join(bare.split(mark))
    bare = bare.strip()
    bare = bare[:-1] if bare[-1:] == "." else bare
    if len(bare) == 1 and unicodedata.category(bare) == "Lu":
        bare = bare.lower()
    return (bare, "") if bare else ("", text)


@st.composite
def references(draw: st.DrawFn) -> tuple[list[str], str]:
    """Distinct right items, and a select reference over them that can be satisfied."""
    items = [item for item in draw(ITEMS) if key_of(item) is not None]
    assume(items)
    reflen = draw(st.integers(1, len(items)))
    minlen = draw(st.integers(0, reflen))
    maxlen = draw(st.integers(reflen, reflen + 4) | st.just(math.inf))
    return items, select(items, reflen, minlen, maxlen)


@settings(deadline=None)
@given(st.data(), references(), st.sampled_from(FORMS), SPACES, SPACES)
def test_a_select_reference_matches_itself_in_any_form_and_order(
    data: st.DataObject, made: tuple[list[str], str], form: Any, before: str, after: str
) -> None:
    reference = parse_reference(made[1])
    right = data.draw(st.permutations(made[0]))[: reference.reflen]
    entry = [before + unicodedata.normalize(form, item) + after for item in right]
    twice = [*entry, *data.draw(st.permutations(entry))]
    assert match_entry(reference, entry).value == 1
    assert match_entry(reference, twice).value == 1
    assert match_entry(reference, perfect_entry(reference)).value == 1


@settings(deadline=None)
@given(WORDS, st.sampled_from(FORMS), SPACES, SPACES)
def test_an_exact_reference_matches_itself_in_any_form(
    text: str, form: Any, before: str, after: str
) -> None:
    try:
        reference = parse_reference(text)
    except SpecError:
        return  # a blank, or something like a tag
    assert reference.kind == "exact"
    entry = before + unicodedata.normalize(form, text) + after
    assert match_entry(reference, entry).value == 1
    document = {"answer": {"q": unicodedata.normalize(form, text)}}
    assert score_solution({"answer": {"q": before + text + after}}, document).value == 1


@settings(deadline=None)
@given(references(), st.lists(WORDS, max_size=8))
def test_the_counting_is_that_of_the_formula(made: tuple[list[str], str], entry: list[str]) -> None:
    reference = parse_reference(made[1])
    forms = {form_of(item) for item in entry}
    n, h, reflen = len(forms), len(forms & {form_of(item) for item in made[0]}), reference.reflen
    want = max(0, min(h, reflen) - max(0, n - reflen)) / reflen
    if not reference.minlen <= n <= reference.maxlen:
        want = 0
    assert match_entry(reference, entry).value == want


@settings(deadline=None)
@given(references(), st.lists(WORDS, max_size=4), st.data())
def test_more_right_items_never_lower_the_score_up_to_reflen(
    made: tuple[list[str], str], others: list[str], data: st.DataObject
) -> None:
    reference = parse_reference(made[1])
    keys = {key_of(item) for item in made[0]}
    wrong = [item for item in others if key_of(item) not in keys]
    right = data.draw(st.permutations(made[0]))[: reference.reflen]
    given_wrong = wrong[: max(0, reference.reflen - len(right))]
    scores = [
        match_entry(reference, [*given_wrong, *right[:n]]).value for n in range(len(right) + 1)
    ]
    assert scores == sorted(scores)
    assert scores[-1] == 1


@settings(deadline=None)
@given(references(), st.lists(WORDS, max_size=8), st.data())
def test_order_and_duplicates_do_not_count(
    made: tuple[list[str], str], others: list[str], data: st.DataObject
) -> None:
    entry = data.draw(st.permutations([*others, *made[0]]))[:6]
    again = data.draw(st.permutations(entry)) + data.draw(
        st.lists(st.sampled_from(entry)) if entry else st.just([])
    )
    assert match_entry(made[1], entry).value == match_entry(made[1], again).value


@settings(deadline=None)
@given(references(), st.lists(WORDS, min_size=1, max_size=8))
def test_wrong_items_alone_earn_nothing(made: tuple[list[str], str], others: list[str]) -> None:
    keys = {key_of(item) for item in made[0]}
    assert match_entry(made[1], [item for item in others if key_of(item) not in keys]).value == 0


@settings(deadline=None)
@given(HOSTILE, references())
@pytest.mark.parametrize("compat", [None, "lobster"])
def test_no_entry_makes_it_raise_or_leave_the_bounds(
    compat: Any, entry: Any, made: tuple[list[str], str]
) -> None:
    for reference in ("kala", made[1], "<fuzzy>kala", "<fuzzy>" + made[1]):
        score = match_entry(reference, entry, fuzzy="similarity", compat=compat)
        assert score.value is None or 0 <= score.value <= 1
        assert score.value is not None or compat
        assert score.reason
        assert score == match_entry(reference, entry, fuzzy="similarity", compat=compat)


@settings(deadline=None)
@given(HOSTILE, HOSTILE)
def test_no_document_makes_it_raise(solution: Any, reference: Any) -> None:
    for one in (
        solution,
        {"answer": solution},
        {"answer": {"1": solution}, "explanation": solution},
    ):
        for other in (reference, {"answer": reference}, {"answer": {"1": "a", "2": reference}}):
            score = score_solution(one, other, fuzzy="exact", explanation_weight=0)
            assert score.value is None or 0 <= score.value <= 1
            assert score.reason


@settings(deadline=None)
@given(st.text())
def test_any_text_is_a_reference_or_a_spec_error(text: str) -> None:
    for tag in ("", "<fuzzy>", "<select1,1,1>", "<select", "<"):
        try:
            assert parse_reference(tag + text).source == tag + text
        except SpecError as wrong:
            assert str(wrong)  # noqa: PT017 - either outcome is right


@settings(deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=6))
def test_lists_are_read_in_both_notations(items: list[str]) -> None:
    assume(any(item.strip() for item in items))
    for notation in (
        json.dumps(items),
        json.dumps(items, ensure_ascii=False),
        repr(items),
        str(items),
    ):
        assert parse_reference(f"<select1,1,1>{notation}").items == tuple(items)


@settings(deadline=None)
@given(st.text())
def test_a_normal_form_does_not_depend_on_the_unicode_form(text: str) -> None:
    assert normalise_entry(unicodedata.normalize("NFD", text)) == normalise_entry(text)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_two_texts_match_where_the_rules_make_them_one(first: str, second: str) -> None:
    assert (key_of(first) == key_of(second)) is (form_of(first) == form_of(second))
