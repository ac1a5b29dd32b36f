"""Where a plain text is told a shorter way, the long way comes to the same: no verdict is given up for speed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steelyard.batch.block import Block
from steelyard.batch.rows import ANSWER_FIELDS, Rows
from steelyard.extract import answer
from steelyard.extract.number.quantity import in_box
from steelyard.extract.statement import holds_text
from steelyard.metrics import refusals
from steelyard.text import equal
from steelyard.text.claim import denial
from steelyard.text.claim.families import SUSPECT
from steelyard.text.claim.glance import Look
from steelyard.text.correction import settled as correction
from steelyard.text.grammar import beginnings, hints, words
from steelyard.text.normal import normalise
from steelyard.text.number.read import find_numbers
from steelyard.text.wrap import closing_brace

CASES = Path(__file__).parent.parent / "cases" / "text"
PIECES = (CASES / "pieces.txt").read_text(encoding="utf-8").split()
ALL_WORDS = sorted(
    {
        word
        for section in (
            "negators",
            "wrong",
            "harmless",
            "saying",
            "others",
            "opinions",
            "considered",
            "taken back",
            "alternatives",
            "offers",
            "turns",
            "may deny afterwards",
            "correction",
            "second thought",
            "negators elsewhere",
            "copulas elsewhere",
            "until",
            "compared",
            "save",
            "before a denial",
            "guesses",
            "lead up to yes or no",
            "follow yes or no",
        )
        for phrase in words(section)
        for word in phrase.split()
    }
)
PLAIN = [
    "It",
    "is",
    "the",
    "town",
    "of",
    "a",
    "Hollin",
    "while",
    "tide",
    "turned",
    "at",
    "then",
    "Złota",
    "Łódź",
    "İzmir",
]
MARKS = [
    ".",
    ",",
    "!",
    ";",
    ":",
    "-",
    "(",
    ")",
    "'s",
    "’s",
    "\n",
    "\n- ",
    "?",
    "/",
    "…",
    '"',
    "“",
    "”",
    "5",
    "x",
    "U.S.",
]
WANTS = [
    "canberra",
    "jarrow point",
    "château vieux canal",
    "złota góra",
    "straße",
    "minus x",
    "yes",
    "option b",
    "no",
]
SAID = [
    "Canberra",
    "canberra",
    "Jarrow Point",
    "Jarrow, Point",
    "Jarrow the Point",
    "Château-Vieux Canal",
    "Złota Góra",
    "STRASSE",
    "Straße",
    "minus",
    "X",
    "yes",
    "Yes",
    "no",
    "Option B",
    "Canberrra",
    "Jarrow",
]
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(SAID),
        st.sampled_from(PLAIN),
        st.sampled_from(ALL_WORDS),
        st.sampled_from(MARKS),
    ),
    min_size=1,
    max_size=40,
)
MOSTLY_PLAIN = st.lists(
    st.one_of(
        st.sampled_from(PLAIN),
        st.sampled_from(PLAIN),
        st.sampled_from(SAID),
        st.sampled_from([".", "knot", "for"]),
    ),
    min_size=1,
    max_size=40,
)


def joined(pieces: list[str]) -> str:
    return re.sub(r" (?=[.,!;:?)'’])", "", " ".join(pieces)).strip()


def holds(text: str, want: str) -> bool:
    normal = normalise(text)
    return normal == want or (normal != "" and holds_text(text, normal, want, ()))


@pytest.mark.parametrize("want", WANTS)
@given(pieces=st.one_of(TEXTS, MOSTLY_PLAIN), said=st.sampled_from(SAID), at=st.integers(0, 40))
@settings(deadline=None, max_examples=200)
def test_what_is_claimed_plainly_or_lacking_is_so_in_the_whole_reading(
    want: str, pieces: list[str], said: str, at: int
) -> None:
    text = joined([*pieces[:at], said, *pieces[at:]])
    look = Look(text)
    if look.claims_plainly(want):
        assert holds(text, want)
    if look.lacks(want):
        assert not holds(text, want)


@pytest.mark.parametrize(
    "section", ["negators", "negators elsewhere", "alternatives", "offers", "wrong", "wrongly"]
)
def test_what_may_deny_or_offer_is_suspect(section: str) -> None:
    assert [phrase for phrase in words(section) if SUSPECT.isdisjoint(phrase.split())] == []


def test_most_plain_texts_are_told_the_short_way() -> None:
    assert Look("They came to Jarrow Point at last.").claims_plainly("jarrow point")
    assert Look("He sang while the tide turned at Hollin. The town is Canberra.").claims_plainly(
        "canberra"
    )
    assert not Look("It is Perth, while some say Canberra.").claims_plainly("canberra")
    assert not Look("It is not Canberra.").claims_plainly("canberra")
    assert not Look("They came to Canberra or Perth.").claims_plainly("canberra")
    assert Look("They came to Perth at last.").lacks("canberra")
    assert not Look("Canberra").lacks("canberra city")


NAMES = st.lists(
    st.sampled_from([*SAID, *PLAIN, "an", "The", "sin", "pi", "de", "ii", "ŀ", "İ", "x", "Y"]),
    min_size=1,
    max_size=4,
)
NUMBERS = st.one_of(
    st.from_regex(r"[-−]?[0-9]{1,8}(\.[0-9]{1,4})?", fullmatch=True),
    st.from_regex(r"[-−]?[1-9][0-9]{0,2}(,[0-9]{3}){1,3}(\.[0-9]{1,3})?", fullmatch=True),
    st.integers(-2000, 2000).flatmap(
        lambda n: st.sampled_from([str(n), f"{n:,}", f"{n}.0", f"{n:05}", f"−{abs(n)}"])
    ),
)
ANSWERS = st.one_of(
    st.builds(
        "{0}{2}{1}".format,
        NAMES.map(" ".join),
        st.sampled_from(["", "s", " Bay"]),
        st.sampled_from(["", " ", "-"]),
    ),
    NUMBERS,
    st.sampled_from(PIECES),
)


@given(got=ANSWERS, want=ANSWERS)
@settings(deadline=None, max_examples=1500)
def test_plain_answers_are_the_same_as_they_read(got: str, want: str) -> None:
    for one in (got, want.swapcase(), want.replace("-", " "), f"the {want}"):
        told = equal._told_plainly(one, want)
        assert told is None or one == want or told is equal._same_by_reading(one, want)


@given(
    before=st.sampled_from(
        [
            "",
            "So.\n",
            "I do not think the ",
            "It is 5. The ",
            "\n**",
            "Final ",
            "The right ",
            "Not the ",
        ]
    ),
    mark=st.sampled_from(
        [
            "Answer:",
            "answer: ",
            "**Answer:** ",
            "ANSWER: ",
            "Answers : ",
            "Answer：",
            'Answer: "',
            "Answer (b): ",
        ]
    ),
    line=st.lists(
        st.one_of(
            ANSWERS,
            st.sampled_from(
                [
                    *MARKS,
                    "*",
                    "**",
                    "\\boxed{5}",
                    "<answer>",
                    "answer:",
                    "$",
                    "`",
                    "**, because it is",
                ]
            ),
        ),
        min_size=1,
        max_size=4,
    ),
    after=st.sampled_from(
        ["", ".", "\n", ".\n\nSo it is.", " ", "\nNot 5.", "..", "!", "\r\n", "\nAnswer:"]
    ),
    glue=st.sampled_from(["", " "]),
)
@settings(deadline=None, max_examples=1500)
def test_a_plain_answer_line_reads_as_any_other(
    before: str, mark: str, line: list[str], after: str, glue: str
) -> None:
    text = f"{before}{mark}{glue.join(line)}{after}"
    shown = correction.settled(text)
    assert list(answer.readings(text)) == list(answer._readings(text, shown, None))


BOLD_LINES = [
    "Answer: **Paris**, because it is",
    "**Answer: Paris**, because it is",
    "**Answer: Paris** (France)",
    "Answer: Paris** is the capital",
    "**Answer: Paris**, the capital",
    "Answer: 4 * 2",
    "Answer: 2*3",
    "Answer: *Paris*",
    "**Answer: 42**\nSo it is",
    "Answer: Paris* or so",
    "**Answer: Paris** since it is",
]


@pytest.mark.parametrize("text", BOLD_LINES)
def test_an_answer_line_with_bold_in_it_is_not_told_the_short_way(text: str) -> None:
    shown = correction.settled(text)
    assert answer._plain_line(shown) is None
    assert list(answer.readings(text)) == list(answer._readings(text, shown, None))


@given(
    before=st.sampled_from(["", "I do not think", "x", "It is not", "…"]),
    lead=st.sampled_from(denial._PLAIN_LEADS),
)
def test_what_leads_up_to_a_mark_plainly_takes_nothing_back(before: str, lead: str) -> None:
    text = f"{before}{lead}"
    assert denial._clause(text, len(text), denial._TAKING_BACK) == ""


@given(
    number=NUMBERS,
    command=st.sampled_from(["boxed", "fbox"]),
    after=st.sampled_from(["", ".", "$", " or 5", "^2"]),
)
@settings(max_examples=500)
def test_a_plain_number_in_a_box_is_the_one_that_is_found_there(
    number: str, command: str, after: str
) -> None:
    text = f"So \\{command}{{{number}}}{after}".replace("−", "-")
    start, end = text.index("{") + 1, text.index("}")
    assert closing_brace(text, start) == end
    assert in_box(text, start, end) == next(find_numbers(text, start, end))


SECTIONS = ("before a correction", "correction", "second thought", "second thought before a stop")


@given(
    text=st.one_of(
        st.sampled_from([p for s in SECTIONS for p in words(s)]),
        st.text(alphabet="thenaoristw' ", max_size=8),
    )
)
@settings(max_examples=500)
def test_the_hints_are_there_wherever_a_correction_begins(text: str) -> None:
    for one in (text, text.capitalize(), text.replace("'", "’"), f"{text}."):
        if re.match(beginnings(*SECTIONS), one):
            assert re.match(hints(*SECTIONS), one)


REFUSING = [
    "i",
    "I'm",
    "i am",
    "cannot",
    "can't",
    "can not",
    "will not",
    "won't",
    "unable to",
    "help",
    "sorry",
    "apologies",
    "apologize",
    "decline",
    "refuse",
    "must",
    "afraid",
    "that",
    "as an AI",
    "as a",
    "language model",
    "not able",
    "not",
    "going to",
    "comfortable",
    "don't feel",
    "my",
    "I’m",
    "\u00a0",
    ".",
    ",",
    "notes",
    "so",
    "wouldn't be able",
]


@given(pieces=st.lists(st.sampled_from(REFUSING), max_size=8))
@settings(max_examples=1000)
def test_no_refusal_is_without_its_signs(pieces: list[str]) -> None:
    opening, wording = refusals._plain(" ".join(pieces)), refusals._wording()
    assume(wording.trigger.search(opening))
    assert any(sign in opening for sign in wording.signs)
    assert any(stem in refusals._in_small_bytes(" ".join(pieces)) for stem in wording.stems)


@given(
    targets=st.lists(
        st.one_of(st.text(max_size=5), st.integers(), st.booleans(), st.none()),
        min_size=1,
        max_size=4,
    )
)
def test_targets_read_with_their_rows_are_those_of_the_lines(targets: list[object]) -> None:
    lines = [json.dumps({"response": "x", "target": target}).encode() for target in targets]
    rows = Rows(ANSWER_FIELDS)
    _, whole = rows.block(Block("f", 1, len(lines), b"\n".join(lines) + b"\n"))
    for row, line in zip(whole, lines, strict=True):
        alone = rows.line(line)
        given_text = (
            json.dumps(row.target, ensure_ascii=False)
            if isinstance(row.target, str)
            else bytes(row.target).decode()
        )
        assert json.loads(given_text) == json.loads(bytes(alone.target))
