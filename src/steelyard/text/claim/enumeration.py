"""A text that is nothing but candidates in a row: "Sydney; Perth; Canberra; Hobart". It offers several, and claims none."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from steelyard.text.grammar import words
from steelyard.text.late import late

# Of commas fewer may part one thing from where it lies: "Paris, Île-de-France, France". What is in brackets is a list.
_FEWEST = {";": 3, "\n": 3, "、": 3, ",": 4, ". ": 4}
STAND_IN = "thenumber"  # in whose place a number or a letter is judged
_FEWEST_IN_BRACKETS, _FEWEST_QUOTED, _FEWEST_ALIKE, _FEWEST_HEADED = 3, 2, 3, 2
_LONGEST_ALIKE = 120
_LONGEST = 1500
_MOST_WORDS = 4
_CLOSED_BY = {"[": "]", "(": ")", "{": "}"}
_WRAPS = frozenset("\"'`*")
_OPENERS = _WRAPS | frozenset(_CLOSED_BY)
_AROUND = " \t\"'“”‘’「」*_`~.,-–•。"
_FENCE = late(r"```[a-z]{0,10}\n(.*?)\n?```", re.DOTALL)
_NUMBER_SIGN = late(r"^#\d{1,2}:", re.MULTILINE)
_BETWEEN_QUOTES = late(r"""["']\s*,\s*["']""")
# "My guesses: Perth; Hobart"
_HEAD = late(
    r"(?:(?:my|our|the|some|best|top|a few|possible|candidate|two|three|here are)[ ]){0,3}(?:guesses|contenders|candidates"
    r"|(?<=some )ideas|(?<=my )ideas|(?<=few )ideas|(?<=candidate )answers|(?<=possible )answers|possibilities)(?::|[ ]–)\s",
    re.IGNORECASE,
)
# "Perth", "Hobart": each by itself between the same marks
_EACH_WRAPPED = late(
    r"""\s*(["'`]|\*\*)[^"'`*,\n]{2,40}\1(?:,\s*(?:and[ ]|or[ ])?\1[^"'`*,\n]{2,40}\1){1,9}\s*"""
)
_CAPITAL = late(r"[^\W\d_a-zß-ÿ]|\d")
_TELLING = frozenset(":<>(){}\\|=：はで是")  # with which more is said than a name
_SMALL = frozenset(words("small in names"))
_NO_ITEMS = frozenset(words("interjections"))


@functools.lru_cache(maxsize=32)
def enumerated(text: str) -> list[str]:
    """The items of a text that is nothing but items; none where it says anything else.

    >>> enumerated("Sydney, Melbourne, Perth and Canberra"), enumerated('["Perth", "Hobart"]')
    (['Sydney', 'Melbourne', 'Perth', 'Canberra'], ['Perth', 'Hobart'])
    >>> enumerated("Mars, Venus, Jupiter"), enumerated("Paris, Texas, USA"), enumerated("It is Perth; it is far; go; now")
    (['Mars', 'Venus', 'Jupiter'], [], [])
    """
    if not _may_enumerate(text) or len(text) > _LONGEST:
        return []
    body = _unfenced(text.strip())
    if body[:1] in _WRAPS and _EACH_WRAPPED.fullmatch(body):
        items = _split(body, ",")
        return items if not _is_place(items) else []
    headed = ("s:" in body or "s –" in body) and _HEAD.match(body) is not None
    inside, body = _unbracketed(_HEAD.sub("", body, count=1) if headed else body)
    if inside and body[:1] in {'"', "'"}:
        items = [item.strip(_AROUND) for item in _BETWEEN_QUOTES.split(body)]
        return items if len(items) >= _FEWEST_QUOTED else []
    by = next((mark for mark in _FEWEST if mark in body), None)
    return _items(body, by, inside=inside, headed=headed) if by else []


def _unfenced(body: str) -> str:
    """The text without a fence around it, and without the number signs of its lines."""
    if body[:3] == "#1:":
        body = _NUMBER_SIGN.sub("", body)
    fenced = _FENCE.fullmatch(body) if body[:3] == "```" else None
    return fenced[1].strip() if fenced else body


def _items(body: str, by: str, *, inside: bool, headed: bool) -> list[str]:
    """What the mark parts, if all of it are items, and enough of them."""
    items = _split(body, by)
    fewest = _FEWEST_IN_BRACKETS if inside else _FEWEST[by] + (by == "\n" and "\n\n" in body)
    if headed or (
        inside
        and by == ","
        and len(items) == _FEWEST_HEADED
        and _are_alike(items)
        and _are_names(items)
    ):
        fewest = _FEWEST_HEADED
    if by == "," and len(items) == _FEWEST_ALIKE and _are_alike(items):
        fewest = _FEWEST_ALIKE
    if (
        by == "\n"
        and not headed
        and len({item[0].isdigit() or item == STAND_IN for item in items}) > 1
    ):
        return []  # a name, a year and a percentage are told of one thing
    return items if len(items) >= fewest and all(map(_is_item, items)) else []


def _unbracketed(body: str) -> tuple[bool, str]:
    """Whether the text is in brackets, and what they hold; of an object that only wraps an array, its end may be left."""
    if body[:1] == "[" and body.endswith("}"):
        body = body[:-1].rstrip()
    inside = len(body) > 1 and body[-1] == _CLOSED_BY.get(body[0])
    if inside and body[0] == "{" and ":" in body:
        return False, ""  # an object tells of one thing
    return inside, body[1:-1].strip() if inside else body


def _split(body: str, by: str) -> list[str]:
    """The pieces between the marks; of the last one also those that "and" joins."""
    *first, last = (piece.strip(_AROUND) for piece in body.strip(_AROUND).split(by))
    ends = last.removeprefix("and ").removeprefix("or ").split(" and ")
    return [piece for piece in (*first, *(end.strip(_AROUND) for end in ends)) if piece]


def _may_enumerate(text: str) -> bool:
    """A cheap look: most texts have too few of any mark that could part items."""
    return (
        text[:1] in _OPENERS
        or ("s:" in text and "s:" in text[:40])
        or "s –" in text
        or text.count("\n") > 1
        or text.count(";") > 1
        or text.count(". ") > 2
        or text.count("、") > 1
        or (text.count(",") > 1 and (len(text) < _LONGEST_ALIKE or " and " in text))
    )


def _are_alike(items: list[str]) -> bool:
    """Whether all are words or names of one form, and not a place and where it lies, as "Paris, Texas, USA" is."""
    if len({(item.count(" "), item[0].isupper()) for item in items}) > 1 or not all(
        item[0].isalpha() for item in items
    ):
        return False
    return not _is_place(items)


def _are_names(items: list[str]) -> bool:
    """Whether each is one word with a capital, and no abbreviation, which may say where a place lies: (Sydney, NSW)."""
    return all(item.isalpha() and item.istitle() for item in items)


def _is_place(items: list[str]) -> bool:
    """Whether the last one may say where the first one lies, and they are not all countries."""
    names = [item.casefold() for item in items]
    countries, regions = _countries()
    return names[-1] in countries | regions and not all(name in countries for name in names)


@functools.cache
def _countries() -> tuple[frozenset[str], frozenset[str]]:
    """Countries; and states, provinces and continents: what may stand behind a town to say where it lies."""
    text = (Path(__file__).parent / "countries.txt").read_text(encoding="utf-8")
    sections = [part.split("\n")[1:] for part in text.split("# ")[1:]]
    first, *others = (
        {name.strip().casefold() for line in part for name in line.split(",")} - {""}
        for part in sections
    )
    return frozenset(first), frozenset[str]().union(*others)


def _is_item(piece: str) -> bool:
    """Whether it is one word, or a name of a few: a sentence has words in small letters, and a lone letter is an initial."""
    if not _TELLING.isdisjoint(piece):
        return False
    said = piece.split(" ", _MOST_WORDS)
    if len(said) == 1:
        return not (len(piece) == 1 and piece.isalpha()) and piece.lower() not in _NO_ITEMS
    if len(said) > _MOST_WORDS or said[0].lower() in _NO_ITEMS:
        return False
    return all(_CAPITAL.match(word) or word in _SMALL for word in said)
