"""Which of the readings around a mention can come to anything, by the words of the text.

Each reading needs words of its own. In a plain text that has a negator and nothing else to suspect, nothing can be offered,
asked or hearsay; in one with an "or" alone, nothing can be denied. Most texts with a word to suspect have only one of these two.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from steelyard.text.claim.marked import ASKED, SLASH
from steelyard.text.grammar import words

# Where none of these words stands, nothing can be denied or offered; most texts are done with that.
SUSPECT = frozenset((Path(__file__).parent / "suspects.txt").read_text(encoding="utf-8").split())
_NEGATORS = frozenset(words("only deny"))
_SUSPECT_BUT_NEGATORS, _SUSPECT_BUT_OR = SUSPECT - _NEGATORS, SUSPECT - {"or"}
_MARKS = frozenset((ASKED, SLASH))
# With these a negator leaves open which of several it is: "I do not know which".
_UNDECIDED = frozenset(words("not decided"))
_OPINIONS = frozenset(words("opinions"))


class Family(Enum):
    """What the words of a text leave possible."""

    ANY = "any"
    DENIED = "denied"
    OFFERED = "offered"


def family(text: str, marked: str, end: int) -> Family:
    """What can be said of the mentions in a text, given in both forms, of which the first one ends there.

    >>> family("It is Perth, not Hobart.", "it is perth , not hobart .", 11)
    <Family.DENIED: 'denied'>
    >>> family("Perth or Hobart", "perth or hobart", 5), family("Not Perth or Hobart", "not perth or hobart", 9)
    (<Family.OFFERED: 'offered'>, <Family.ANY: 'any'>)
    """
    said = marked.split()
    if not text.isascii() or not _MARKS.isdisjoint(said):
        return Family.ANY
    if _SUSPECT_BUT_OR.isdisjoint(said):
        return Family.OFFERED
    if (
        _SUSPECT_BUT_NEGATORS.isdisjoint(said)
        and _UNDECIDED.isdisjoint(said)
        and _OPINIONS.isdisjoint(marked[end:].split())
    ):
        return Family.DENIED
    return Family.ANY
