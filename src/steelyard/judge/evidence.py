"""Whether what a judge quotes really stands in the work."""

from __future__ import annotations

import re

from steelyard.judge.fence import JOINER
from steelyard.judge.folding import fold_in_place

_GAP = re.compile(r"\s*(?:\[?(?:…|\.{3,})\]?|\[\.\.\.\])\s*")
_BLANKS = re.compile(r"\s+")
_SHORTEST = 2


def occurs(quote: str, work: str) -> bool:
    """Whether the quotation stands in the work, letter by letter but for case, blanks and the shape of quotes.

    ``…`` leaves words out: the pieces must then stand in this order.

    >>> occurs('"the dog … at night"', "The dog\\nsleeps at night.")
    True
    >>> occurs("the cat", "The dog sleeps.")
    False
    """
    text, place = _even(work), 0
    pieces = [piece for piece in _GAP.split(_even(quote).strip(" \"'`*_")) if piece]
    shortest = _SHORTEST if quote.isascii() else 1  # in some scripts one character is a word
    if not pieces or sum(map(_letters, pieces)) < min(shortest, _letters(text)):
        return False
    for piece in pieces:
        found = text.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return True


def _even(text: str) -> str:
    return _BLANKS.sub(" ", fold_in_place(text.replace(JOINER, "")).casefold()).strip()


def _letters(text: str) -> int:
    return sum(char.isalnum() for char in text)
