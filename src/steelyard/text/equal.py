"""When two short answers are the same: by value where both are numbers, as expressions, else in normal form."""

from __future__ import annotations

import functools
from decimal import Decimal
from typing import NamedTuple

from steelyard.text.beyond import letters_of, says_more
from steelyard.text.emphasis import without_italics
from steelyard.text.late import late
from steelyard.text.maths.expression import canonical
from steelyard.text.maths.lefthand import is_big, names
from steelyard.text.maths.mathematics import mathematical, same_marks, wordy
from steelyard.text.normal import is_blank
from steelyard.text.number.read import read_number
from steelyard.text.number.typeset import without_layout
from steelyard.text.number.unitword import same_in_words
from steelyard.text.number.value import Value, same_value
from steelyard.text.same import cannot_equal, same_text
from steelyard.text.wrap import unwrapped

#: What is longer is no expression that anyone would compare.
_LONGEST = 400
_DIGIT = late(r"\d")
_VULGAR = late("[¼-¾⅐-⅞]")
_PADDED = late(r"0[0-9]")
_BRACKETS = "([{)]}"
_NAME = late(r"\\?[a-zA-Z]+(?:_\w|_\{\w{1,3}\})?|[a-zA-Z]\([a-z]\)|\([a-z](?:,\s?[a-z]){1,3}\)")
_NEARLY = late(r"\\approx(?![a-zA-Z])|\\simeq(?![a-zA-Z])|[≈≃]")
_ARITHMETIC = late(
    r"(?:[-+*/×÷^().,{}\d\s√−]|\\(?:[dt]?frac|times|cdot|div|sqrt|left|right)(?![a-zA-Z]))+"
)
# Words and numbers about which nothing could be read in another way: no sign, no letter of a formula, no bracket.
_LETTERS = "[A-Za-zÀ-ÖØ-öø-įŁ-ňŌ-ž]{2,30}"
_WORDS = late(rf"{_LETTERS}(?:[ -]{_LETTERS}){{0,7}}")
_BARE = r"[-−]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3}){1,12}|[0-9]{1,100})(?:\.[0-9]{1,100})?"
_BARE_NUMBER = late(_BARE)
_GIVEN_NUMBER = late(rf"(?:[A-Za-z] ?= ?)?(?P<number>{_BARE})")
_SIGNS = frozenset("-−﹣－˗")
_ARTICLES = frozenset(("a", "an", "the"))
# "- A", "- **9**"; a small letter, a digit, a bracket or a formula there may have a sign.
_BULLET = late(r"-[ \t]+(?=[A-Z<*`\"]|\\boxed)")
_MEMBER = late(r"\s*[a-zA-Z]\s*(?:∈|\\in(?![a-zA-Z]))")


# A sign that a blank sets apart from its number; a hyphen may also be a bullet, unless a no-break space binds it.
_SET_APART = late(
    r"(?:(?P<minus>[−﹣－˗]|-(?=[\u00a0\u202f]))|-)(?:[ \u00a0\u2009\u202f~]|(?P<thin>\\[,;:! ])){1,4}(?=[\d.\\√π∞])"
)


class _Target(NamedTuple):
    """What a target is, worked out once: a file of answers has few targets."""

    text: str
    number: Value | None

    @property
    def mathematical(self) -> bool:
        """Whether it is an expression; asked only where values do not tell."""
        return len(self.text) <= _LONGEST and _mathematical(self.text)


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
    want = signed(want, certain=True) if want[:1] == "-" else want
    if cannot_equal(got, want) or (len(got) > len(want) + 8 and says_more(got, letters_of(want))):
        return False
    return same_text(got, want) or same_plain_number(got, want)


def same_plain_number(got: str, want: str) -> bool:
    """Whether both are plain numbers of one value."""
    if len(got) > 400 or want[:1].isalpha() or got[:1].isalpha():
        return False  # no number begins with a letter
    if _DIGIT.search(want) is None or _DIGIT.search(got) is None:
        return False
    left = plain_number(got)
    right = plain_number(want) if left is not None else None
    return left is not None and right is not None and same_value(left, right)


def same_answer(got: str, want: str, *, certain: bool = False) -> bool:
    r"""Equality of two answers with mathematics in mind: fractions, LaTeX, bracketed lists, ``x = 5``.

    Where it is ``certain`` that the answer is mathematics, as between dollar signs, "- 5" has no bullet and 7! is no cheer.

    >>> same_answer(r"\frac{1}{2}", "0.5"), same_answer("(1,2)", "(12)"), same_answer("[1,2)", "(1,2]")
    (True, False, False)
    """
    if got == want:
        return got.isalnum() or not is_blank(got)
    # Of LaTeX and tags more is lost than their marks.
    if (
        " " in got
        and "\\" not in got
        and "<" not in got
        and len(want) <= _LONGEST
        and says_more(got, letters_of(want))
    ):
        return ("=" in got or "≈" in got or "≃" in got or "∈" in got) and _same_in_part(
            got, _target(want), certain
        )
    told = _told_plainly(got, want)
    return _same_by_reading(got, want, certain) if told is None else told


def _same_in_part(got: str, want: _Target, certain: bool) -> bool:
    """Whether a text that says more than the target gives it after a "=" or a "≈"."""
    got = signed(unwrapped(without_italics(got)), certain=certain)
    if _BULLET.match(got) and not certain:
        return _same_in_part(got[1:].lstrip(), want, certain)
    return _same_given(got, want) or _same_rounded(got, want)


def _told_plainly(got: str, want: str) -> bool | None:
    """Whether two plain numbers or two plain names are the same; None where more has to be read."""
    if (number := _plain(want)) is not None:
        if found := _GIVEN_NUMBER.fullmatch(got):
            return _value(found["number"]) == number
        return False if got.isascii() and _DIGIT.search(got) is None else None
    if got.isascii() and want.isascii() and got.isalpha() and want.isalpha():
        return got.lower() == want.lower()
    if not (_WORDS.fullmatch(want) and _WORDS.fullmatch(got)):
        return None
    left, right = got.casefold().replace("-", " "), want.casefold().replace("-", " ")
    if left == right:
        return True
    # One of the two may only lack an article.
    return (
        False
        if _ARTICLES.isdisjoint(left.split(" ")) and _ARTICLES.isdisjoint(right.split(" "))
        else None
    )


def _value(bare: str) -> Decimal:
    return Decimal(bare.replace(",", "").replace("−", "-"))


def _same_by_reading(got: str, want: str, certain: bool = False) -> bool:
    target = _target(want)
    if target.number is not None and (number := read_number(got)) is not None and got[:1].isalnum():
        return same_value(number, target.number)
    if "*" in got:
        got = without_italics(got)
    got = signed(unwrapped(without_layout(got)), certain=certain)
    if (
        _same(got, target, certain=certain)
        or _same_inside(got, target)
        or same_in_words(got, target.text)
    ):
        return True
    if _BULLET.match(got) and not certain:
        return _same_by_reading(got[1:].lstrip(), want)
    if (
        got[-1:] == "!"
        and "!" not in want
        and not certain
        and len(got) <= _LONGEST
        and _number(got[:-1]) is not None
    ):
        return _same(got[:-1], target)  # said with joy; a factorial would stand in the target too
    return _same_given(got, target) or _same_rounded(got, target)


def signed(text: str, *, certain: bool) -> str:
    r"""The text with the sign at its number where a blank sets it apart, unless it may be a bullet.

    >>> signed("− 5", certain=False), signed("- 5", certain=False), signed("- 5", certain=True)
    ('-5', '- 5', '-5')
    """
    if text[:1] not in _SIGNS or not (apart := _SET_APART.match(text)):
        return text
    return "-" + text[apart.end() :] if certain or apart["minus"] or apart["thin"] else text


def _same_inside(got: str, want: _Target) -> bool:
    """Brackets around one thing only wrap it: (C++), (1,000), ({a, b}); so do those around a list, if the target has none."""
    if got[:1] not in {*_BRACKETS[:3]} or len(got) > _LONGEST:
        return False
    inner = unwrapped(got, brackets=True)
    single = "," not in inner or (got[0] == "(" and read_number(inner) is not None)
    if single and inner == want.text:
        return True
    if (
        got[-1:] != _BRACKETS[_BRACKETS.index(got[0]) + 3]
        or want.number is not None
        or "," not in want.text
    ):
        return False
    inner = got[1:-1].strip()
    # (1,2) is a point; [1,2] and (x = 1, y = 2) only hold together what the target lists.
    lists = want.text[:1] not in {*_BRACKETS} and (got[0] != "(" or any(map(str.isalpha, inner)))
    return (inner[:1] in {*_BRACKETS} and inner == want.text) or (lists and _same(inner, want))


@functools.lru_cache(maxsize=4096)
def _plain(want: str) -> Decimal | None:
    """Its value, if it is a number and nothing else in plain writing."""
    return _value(want) if _BARE_NUMBER.fullmatch(want) else None


@functools.lru_cache(maxsize=4096)
def _target(want: str) -> _Target:
    text = signed(unwrapped(without_layout(without_italics(want))), certain=True)
    if len(text) > _LONGEST:
        return _Target(text, None)
    return _Target(text, _number(text))


@functools.lru_cache(maxsize=4096)
def _mathematical(text: str) -> bool:
    return mathematical(text, certain=True)


_form = functools.lru_cache(maxsize=4096)(canonical)


def _same(got: str, want: _Target, *, certain: bool = False) -> bool:
    if len(got) > _LONGEST or len(want.text) > _LONGEST:
        return not cannot_equal(got, want.text) and same_text(got, want.text)
    number = _number(got) if want.number is not None else None
    if number is not None and want.number is not None:
        return same_value(number, want.number)
    if want.mathematical or mathematical(got, certain=certain):
        if _form(got) == _form(want.text):
            return True
        return (
            wordy(got)
            and wordy(want.text)
            and same_marks(got, want.text)
            and same_text(got, want.text)
        )
    if _other_brackets(got, want.text):
        return False
    return same_text(got, want.text) or _same_spaced(got, want.text)


def _number(text: str) -> Value | None:
    if _DIGIT.search(text) is None and _VULGAR.search(text) is None:
        return None
    inner = unwrapped(text, brackets=True)
    # A comma in brackets parts the members of a list.
    return None if "," in inner and len(inner) < len(text) else read_number(inner)


def _same_given(got: str, want: _Target) -> bool:
    """``x = 5`` gives 5, on either side."""
    if ((value := _given(got, certain=False)) is None) == ((wanted := _given(want.text)) is None):
        return False
    return _same(got if value is None else value, want if wanted is None else _target(wanted))


def _same_rounded(got: str, want: _Target) -> bool:
    """A fraction is the answer, and not the value to which it is rounded; of x ≈ 2.67 and 2π ≈ 6.28 the value may be it too."""
    if "≈" not in got and "≃" not in got and "\\approx" not in got and "\\simeq" not in got:
        return False
    parts = [unwrapped(part) for part in _NEARLY.split(got, 2)]
    if len(parts) != 2 or len(got) > _LONGEST or not all(parts):
        return False
    exact = _given(parts[0], certain=False) or parts[0]
    return _same(exact, want) or (_number(exact) is None and _same(parts[1], want))


def _given(text: str, *, certain: bool = True) -> str | None:
    """What stands after the last "=", where a name or plain sums stand before it: 2x = 42 does not say x.

    Where it is not ``certain`` that this is an equation, as in a target, a + b = 7 gives 7.
    """
    if len(text) > _LONGEST:
        return None
    if member := _MEMBER.match(text):
        return unwrapped(text[member.end() :])
    head, equals, value = text.rpartition("=")
    if not equals or not value.strip() or head[-1:] in {"<", ">", "!", "=", ""}:
        return None
    name, *sums = [head] if not certain and is_big(head) else head.split("=")
    if not (
        _NAME.fullmatch(name.strip())
        or _ARITHMETIC.fullmatch(name)
        or (not certain and names(name))
    ):
        return None
    return signed(unwrapped(value), certain=True) if all(map(_ARITHMETIC.fullmatch, sums)) else None


def _other_brackets(got: str, want: str) -> bool:
    """Whether both are lists in brackets of different kinds."""
    if "," not in got or "," not in want:
        return False
    left, right = got[:1] + got[-1:], want[:1] + want[-1:]
    return left != right and all(mark in _BRACKETS for mark in left + right)


def _same_spaced(got: str, want: str) -> bool:
    """The space between a number and what follows means nothing: 2 x is 2x, but 1 2 is not 12."""
    return got[:1].isdigit() and want[:1].isdigit() and _form(got) == _form(want)
