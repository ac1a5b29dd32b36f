"""Italics and dollar signs around a part of an answer: the *Mona Lisa*, the $x$-axis."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.maths.mathematics import wordy

_ITALICS = late(r"(?<![\w*\\^])\*(?=[^\s*])([^*\n]{2,200})(?<![\s*])\*(?![\w*])")
_SET_LETTER = late(r"(?<![\w$\\])\$([^\W_]{1,2})\$(?=-[^\W\d_]{2})")


def without_italics(text: str) -> str:
    """The text without the stars around its words; those between factors stay.

    >>> without_italics("The *Mona Lisa*"), without_italics("2 *x* 3"), without_italics("a*b*c")
    ('The Mona Lisa', '2 *x* 3', 'a*b*c')
    """
    return _ITALICS.sub(_words, text) if text.count("*") > 1 else text


def _words(found: re.Match[str]) -> str:
    return found[1] if wordy(found[1]) else found[0]


def without_set_letters(text: str) -> str:
    """The text without the dollar signs around the letter of a compound.

    >>> without_set_letters("the $x$-axis"), without_set_letters("$5-$6")
    ('the x-axis', '$5-$6')
    """
    return _SET_LETTER.sub(r"\1", text) if text.count("$") > 1 else text
