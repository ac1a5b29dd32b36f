"""Numbers as people and models write them, read to their exact value.

Grouping, currency, percent, units, Unicode minus signs, other scripts' digits, exponents, powers of ten,
fractions and mixed numbers are read; a digit inside a word (B12, COVID-19), an exponent of a variable
and a part of a date are not numbers.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from steelyard.text.fold import fold_in_place
from steelyard.text.late import late
from steelyard.text.value import VULGAR, Value, mixed, value_of

_HELD = 200  # matches: one takes a hundred times the room of its digits, and a text may be of nothing else
_SCALE_WORDS = {"k": 3, "m": 6, "mn": 6, "b": 9, "bn": 9}
_CODES = frozenset(("USD", "EUR", "GBP", "INR", "JPY", "CNY", "AUD", "CAD", "CHF", "Rs", "US"))
_FRAC = (
    r"\\[dtc]?frac\s?(?:\{\s?(?P<top>-?[0-9.,]{1,300})\s?\}|(?P<top1>[0-9]))"
    r"\s?(?:\{\s?(?P<low>-?[0-9.,]{1,300})\s?\}|(?P<low1>[0-9]))"
)
# Repetitions are bounded: a hostile text must not make the search quadratic.
_BODY = r"""
    (?P<int>[0-9](?:
        (?<!0)[0-9]{0,2}(?:\.[0-9]{3}){1,12},[0-9]{1,2}(?![0-9]|[,.][0-9])
      | (?<!0)[0-9]{0,2}(?:\.[0-9]{3}){2}(?![0-9]|[,.][0-9])
      | (?<!0)[0-9]{0,2}(?:,[0-9]{2,3}){0,12},[0-9]{3}(?![0-9])(?!,[0-9])
      | (?<!0)[0-9]{0,2}(?:(?:[\u00a0'_]|\{,\}|,?\\[!,;])[0-9]{3}){1,12}(?![0-9])
      | (?<!0)[0-9]{0,2}(?:[ ]0[0-9]{2}|[ ][0-9]{3}(?=[ ]0[0-9]{2}))(?:[ ][0-9]{3}){0,12}(?![0-9])
      | (?<!0)[0-9]?(?:[ ][0-9]{3}){2,12}(?![0-9]|[ ][0-9])
      | (?<!0)[0-9]{0,2}[ ][0-9]{3}(?=(?:\.[0-9]{1,30})?[ .*_$]{0,6}(?:\n|\Z))
      | [0-9]*))
    (?P<point>(?:\.[0-9]+)+)?
    (?P<exp>[eE][-+]?[0-9]+(?![0-9A-Za-z]|\.[0-9]))?
    (?:\s?(?:[x×*·⋅]|\\times|\\cdot)\s?10\s?(?:(?:\^|\*\*)\s?(?:\{\s?(?P<ten>[-+]?[0-9]{1,9})\s?\}|(?P<ten1>[-+]?[0-9]{1,9}))
        |(?P<tens>[⁻⁺]?[⁰¹²³⁴-⁹]{1,9})))?
    (?:(?:\^|\*\*)(?:\{(?P<up>[-+]?[0-9]{1,9})\}|(?P<up1>[-+]?[0-9]{1,9}))|(?P<ups>[⁻⁺]?[⁰¹²³⁴-⁹]{1,9}))?
    (?:(?P<vulgar>\s?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])
      |[ ](?P<over>[0-9]{1,9})/(?P<under>[0-9]{1,9})(?![0-9/])
      |\s?/\s?(?P<by>[0-9]{1,300}(?:\.[0-9]{1,300})?)(?![0-9/]|\.[0-9]))?
    (?P<percent>\s?\\?%)?
    (?:\s?-?(?P<scale>(?i:hundred|thousand|million|billion|trillion))s?\b)?
"""
_NUMBER = late(_BODY, re.VERBOSE)
#: A number that nothing has to be known for, most of all.
PLAIN = late(r"-?(?:[1-9][0-9]{0,2}(?:,[0-9]{3}){1,12}|[0-9]{1,300})(?:\.[0-9]{1,300})?")
_NUMBER_OR_FRAC = late(
    rf"(?:(?P<whole>[0-9]{{1,300}})\s?)?{_FRAC}|(?P<alone>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])|{_BODY}", re.VERBOSE
)
_BEFORE = late(r"\s*[-+]?\s*(?:\\?\$)?\s*[-+]?\s?\.?")
_AFTER = late(r"\s*(?:\\?\$)?\s*\.?\s*")
_MONEY = late(r"\s?(?P<scale>[kKmMbB]|mn|bn)\b")
_THOUSAND = late(r"(?P<scale>k)(?![\w^(])")
_UNSPACED = late("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_SPOKEN_SIGN = late(r"\b(?:minus|negative)[ ]$", re.IGNORECASE)


class Number(NamedTuple):
    """An exact value and where it stands, sign included."""

    value: Value
    span: tuple[int, int]


def read_number(text: str) -> Value | None:
    r"""The value of a text that is a number and nothing else, or None.

    >>> read_number("$1,234.50"), read_number("3/4"), read_number("42 apples"), read_number(r"\frac{1}{2}")
    (Decimal('1234.50'), Fraction(3, 4), None, Fraction(1, 2))
    """
    if text.isascii():
        if text.replace(".", "", 1).isdigit():
            return Decimal(text)
        if PLAIN.fullmatch(text):
            return Decimal(text.replace(",", ""))
    folded = fold_in_place(text)
    for match in _matches(folded):
        if number := _read(folded, match):
            before, after = folded[: match.start()], folded[max(match.end(), number.span[1]) :]
            return number.value if _BEFORE.fullmatch(before) and _AFTER.fullmatch(after) else None
        return None
    return None


def find_numbers(folded: str, start: int = 0, end: int | None = None) -> Iterator[Number]:
    """The numbers in a text that ``fold_in_place`` gave, from left to right.

    >>> [str(number.value) for number in find_numbers("10-42, x2 and -7")]
    ['10', '42', '-7']
    """
    for match in _matches(folded, start, end):
        if number := _read(folded, match):
            yield number


def last_number(folded: str) -> Number | None:
    """The last number in a text that ``fold_in_place`` gave."""
    if number := _closing(folded):
        return number
    tail = _tail(folded)
    for start, end in ((tail, len(folded)), (0, tail)) if tail else ((0, len(folded)),):
        last = deque(_matches(folded, start, end), maxlen=_HELD)
        for match in reversed(last):
            if number := _read(folded, match):
                return number
        if len(last) == _HELD and (earlier := deque(find_numbers(folded, start, end), maxlen=1)):
            return earlier[0]
    return None


def _closing(folded: str) -> Number | None:
    """The plain number after a word with which a text ends; most texts that give one unmarked end so."""
    end = len(folded.rstrip(" \n."))
    start = len(folded[:end].rstrip("0123456789."))
    body = folded[start:end]
    if start < 2 or folded[start - 1] != " " or not (folded[start - 2].isalpha() or folded[start - 2] == "="):
        return None
    if body[:1] == "." or not body.replace(".", "", 1).isdecimal():
        return None
    return _number(Decimal(body), _negative(folded, start), (start, end))


def _tail(folded: str) -> int:
    """Where the end of a long text begins, between two words: in most the last number stands there."""
    at = len(folded) - 300
    while at > 1 and not (folded[at - 1] == " " and folded[at - 2].isalpha() and folded[at].isalpha()):
        at = folded.rfind(" ", 0, at - 1) + 1
    return max(0, at)


def _matches(folded: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    stop = len(folded) if end is None else end
    special = not folded.isascii() or folded.find("frac", start, stop) >= 0
    return (_NUMBER_OR_FRAC if special else _NUMBER).finditer(folded, start, stop)


def _read(folded: str, match: re.Match[str]) -> Number | None:
    start, end = match.span()
    body = match[0].replace(",", "")  # where the pattern lets one stand, it groups digits
    if body.replace(".", "", 1).isdecimal() and folded[end : end + 1] != "k" and "." not in match["int"]:
        glued = start > 0 and folded[start - 1] in ".$"
        if not glued and not _in_word(folded, start):
            return _number(Decimal(body), _negative(folded, start), (start, end))
    found = match.groupdict()
    if found.get("low") or found.get("low1"):
        return _number(mixed(found), _negative(folded, start), (start, end))
    if found.get("alone"):
        return _number(VULGAR[found["alone"]], _negative(folded, start), (start, end))
    if _in_word(folded, start):
        return None
    lead = start > 0 and folded[start - 1] == "." and not folded[max(0, start - 2) : start - 1].isalnum()
    value = value_of(found, "." if lead else "")
    if isinstance(value, Decimal) and (scaled := _scaled(folded, start, end)):
        sign, digits, exponent = value.as_tuple()
        scale = _SCALE_WORDS[scaled["scale"].lower()]
        value, end = Decimal((sign, digits, int(exponent) + scale)), scaled.end()
    return _number(value, _negative(folded, start - lead), (start - lead, end - _trailing(match)))


def _scaled(folded: str, start: int, end: int) -> re.Match[str] | None:
    """The letter after a number that multiplies it: $2M, 1.5k; without a currency M may be a unit, and K too."""
    return (_MONEY if start > 0 and folded[start - 1] == "$" else _THOUSAND).match(folded, end)


def _number(value: Value | None, sign_at: int | None, span: tuple[int, int]) -> Number | None:
    if value is None or sign_at is None:
        return None if value is None else Number(value, span)
    # copy_negate, unlike the minus sign, does not round to the context's precision.
    negative = value.copy_negate() if isinstance(value, Decimal) else -value
    return Number(negative, (sign_at, span[1]))


def _trailing(match: re.Match[str]) -> int:
    """A percent sign or a word of scale is not part of the extracted text."""
    tail = match["percent"] or ""
    return len(tail) if not match["scale"] else 0


def _in_word(text: str, start: int) -> bool:
    """B12, x_1, x^2, COVID-19, and the second part of a date are not numbers."""
    if start == 0:
        return False
    before = text[start - 1]
    if before.isalpha():
        if before >= "\u0e00" and _UNSPACED.match(before):
            return (
                before == "第"
            )  # in these scripts no blank sets a number off; this one makes an ordinal of it
        word = re.search(r"[A-Za-z]{1,4}$", text[max(0, start - 4) : start])
        return word is None or word[0] not in _CODES
    if before == "_":
        return start > 1 and text[start - 2].isalnum()
    if before == "^" or text[max(0, start - 2) : start] in {"^{", "_{"}:
        return True
    if before in "-/.":
        earlier = text[start - 2 : start - 1] if start > 1 else ""
        return earlier.isalpha() if before == "-" else before == "/" and earlier.isdecimal()
    return False


def _negative(text: str, start: int) -> int | None:
    """Where the minus sign of the number stands, if it has one; a hyphen, a bullet and a range are none."""
    at = start - 1
    while at >= 0 and text[at] in "$\\":
        at -= 1
    if at >= 1 and text[at] == " ":
        return _distant_sign(text, at)
    if at < 0 or text[at] != "-":
        return None
    ahead = at
    while ahead > 0 and text[ahead - 1] == "_":  # _-5_ is set in italics, a_-5 has an index
        ahead -= 1
    before = text[ahead - 1] if ahead > 0 else ""
    if before.isalnum() or (before and before in ")]}%-"):
        return None
    return None if before == " " and text[at - 2 : at - 1].isdigit() else at


def _distant_sign(text: str, blank: int) -> int | None:
    """A sign that a blank sets apart: after a mark, "=" or a bracket (not a bullet), or spoken."""
    if text[blank - 1] == "-":
        earlier = text[max(0, blank - 8) : blank - 1].rstrip(" ")
        return (
            blank - 1
            if earlier and (earlier[-1] in ":={($" or earlier.endswith((" is", " equals")))
            else None
        )
    spoken = _SPOKEN_SIGN.search(text, max(0, blank - 9), blank + 1)
    return (
        spoken.start()
        if spoken and not text[max(0, spoken.start() - 2) : spoken.start()].strip().isdecimal()
        else None
    )
