"""A text that is nothing but candidates in a row: "Sydney; Perth; Canberra; Hobart". It offers several, and claims none."""

from __future__ import annotations

from steelyard.text.grammar import words
from steelyard.text.late import late

# Fewer may be one thing told twice over: "Paris, Île-de-France, France". Brackets and arrays hold items, and nothing else.
_FEWEST, _FEWEST_IN_BRACKETS = 4, 3
_LONGEST = 1500
_MOST_WORDS = 4
_CLOSED_BY = {"[": "]", "(": ")"}
_SEPARATORS = (";", "\n", ",", ". ")
_AROUND = " \t\"'“”‘’*_`.,-–•"
_CAPITAL = late(r"[^\W\d_a-zß-ÿ]|\d")
_TELLING = frozenset(":<>(){}\\|=")  # marks with which more is said than a name
_SMALL = frozenset(words("small in names"))
_NO_ITEMS = frozenset(words("interjections"))


def enumerated(text: str) -> list[str]:
    """The items of a text that is nothing but items; none where it says anything else.

    >>> enumerated("Sydney, Melbourne, Perth and Canberra")
    ['Sydney', 'Melbourne', 'Perth', 'Canberra']
    >>> enumerated("Paris, Île-de-France, France"), enumerated("It is Perth; it is not far; go there; now")
    ([], [])
    """
    if len(text) > _LONGEST or not _may_enumerate(text):
        return []
    body = text.strip()
    inside = len(body) > 1 and body[-1] == _CLOSED_BY.get(body[0])
    body = body[1:-1] if inside else body
    by = next((mark for mark in _SEPARATORS if mark in body), None)
    if by is None:
        return []
    *first, last = (piece.strip(_AROUND) for piece in body.strip(_AROUND).split(by))
    pieces = [*first, *(end.strip(_AROUND) for end in last.removeprefix("and ").removeprefix("or ").split(" and "))]
    items = [piece for piece in pieces if piece]
    fewest = _FEWEST_IN_BRACKETS if inside else _FEWEST
    return items if len(items) >= fewest and all(map(_is_item, items)) else []


def _may_enumerate(text: str) -> bool:
    """A cheap look: most texts have too few of any mark that could part items."""
    return (
        text[:1] in _CLOSED_BY
        or text.count("\n") >= _FEWEST - 1
        or text.count(";") >= _FEWEST - 1
        or text.count(". ") >= _FEWEST - 1
        or (text.count(",") >= _FEWEST - 2 and " and " in text)
    )


def _is_item(piece: str) -> bool:
    """Whether it is one word, or a name of a few: a sentence has words in small letters, and a lone letter is an initial."""
    if not _TELLING.isdisjoint(piece):
        return False
    said = piece.split(" ", _MOST_WORDS)
    if len(said) == 1:
        return not (len(piece) == 1 and piece.isalpha()) and piece.lower() not in _NO_ITEMS
    return len(said) <= _MOST_WORDS and all(_CAPITAL.match(word) or word in _SMALL for word in said)
