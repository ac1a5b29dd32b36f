"""When two short answers are the same: by value where both are numbers, else in normal form."""

from __future__ import annotations

import re

from steelyard.text.fold import fold
from steelyard.text.latex import without_latex
from steelyard.text.normal import cannot_equal, same_text
from steelyard.text.number import Value, read_number, same_value
from steelyard.text.wrap import unwrapped

_DIGIT = re.compile(r"\d")
_VULGAR = re.compile("[¼-¾⅐-⅞]")
_PADDED = re.compile(r"0[0-9]")
_BRACKETED = re.compile(r"\s*([(\[{]).*,.*([)\]}])\s*", re.DOTALL)
# A name or sums of numbers may stand before the last "=": x = 5, 20 + 22 = 42; but 2x = 42 does not say x.
_GIVEN = re.compile(
    r"\s*(?:\\?[a-zA-Z]+(?:_\w)?|[-+*/×÷^().,\d\s]+)(?:=[-+*/×÷^().,\d\s]+)*\s*=(?P<value>[^=]+)"
)
_LOOSE_SPACE = re.compile(r"(?<![\w])\s+|\s+(?![\w])|(?<=\d)\s+(?=[^\W\d])")


def plain_number(text: str) -> Value | None:
    """The value of a text that is a number in decimal writing; a padded code such as 007 is a name.

    >>> plain_number("1,000.0") == 1000, plain_number("007") is None, plain_number("3/4") is None
    (True, True, True)
    """
    bare = text.strip().strip("*_`\"' ")
    if "/" in bare or _PADDED.match(bare):
        return None
    return read_number(bare)


def same_short(got: str, want: str) -> bool:
    """Equality of two whole texts: normal forms, or exact values where both are plain numbers.

    >>> same_short("The Beatles.", "beatles"), same_short("3.0", "3"), same_short("-5", "5")
    (True, True, False)
    """
    return not cannot_equal(got, want) and (same_text(got, want) or same_plain_number(got, want))


def same_plain_number(got: str, want: str) -> bool:
    """Whether both are plain numbers of one value."""
    if len(got) > 400 or _DIGIT.search(want) is None or _DIGIT.search(got) is None:
        return False
    left = plain_number(got)
    right = plain_number(want) if left is not None else None
    return left is not None and right is not None and same_value(left, right)


def same_answer(got: str, want: str) -> bool:
    r"""Equality of two answers with mathematics in mind: fractions, LaTeX, bracketed lists, ``x = 5``.

    >>> same_answer(r"\frac{1}{2}", "0.5"), same_answer("(1,2)", "(12)"), same_answer("[1,2)", "(1,2]")
    (True, False, False)
    """
    if got == want and got.isalnum():
        return True
    got, want = unwrapped(got), unwrapped(want)
    if _same_value_or_form(got, want):
        return True
    if "=" in got and "=" not in want and (given := _GIVEN.fullmatch(got)):
        return _same_value_or_form(unwrapped(given["value"]), want)
    return False


def _same_value_or_form(got: str, want: str) -> bool:
    left = _bracketed_number(got)
    right = _bracketed_number(want) if left is not None else None
    if left is not None and right is not None:
        return same_value(left, right)
    if _other_brackets(got, want):
        return False
    return same_text(got, want) or _same_expression(got, want)


def _bracketed_number(text: str) -> Value | None:
    if len(text) > 400 or (_DIGIT.search(text) is None and _VULGAR.search(text) is None):
        return None
    return read_number(unwrapped(text, brackets=True))


def _other_brackets(got: str, want: str) -> bool:
    """An open interval is not a closed one."""
    left, right = _BRACKETED.fullmatch(got), _BRACKETED.fullmatch(want)
    return bool(left and right and left.groups() != right.groups())


def _same_expression(got: str, want: str) -> bool:
    left = _expression(got)
    return left != "" and left == _expression(want)


def _expression(text: str) -> str:
    """The text with the spaces gone that mean nothing: 2 x is 2x, but 1 2 is not 12."""
    if len(text) > 400 or not any(char.isdigit() or char in "\\^+=" for char in text):
        return ""
    plain = without_latex(fold(text)) if "\\" in text else fold(text)
    return _LOOSE_SPACE.sub("", plain.strip().replace("{", "").replace("}", ""))
