"""The exact value of a number from the parts in which it was written."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

from steelyard.text.late import late

Value = Decimal | Fraction

_RAISED_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
#: The value of a fraction that is one character.
VULGAR = {
    char: Fraction(f"{over}/{under}")
    for chars, under in (("½", 2), ("⅓⅔", 3), ("¼ ¾", 4), ("⅕⅖⅗⅘", 5), ("⅙   ⅚", 6), ("⅛ ⅜ ⅝ ⅞", 8))
    for over, char in enumerate(chars, start=1)
    if char != " "
}
_LINES = (Path(__file__).parent / "scales.txt").read_text(encoding="utf-8").splitlines()
#: The power of ten by which each word multiplies the number before it.
SCALES = {
    word: int(power)
    for word, _, power in (line.partition(" ") for line in _LINES if line[0] != "#")
}
_MYRIADS = {
    "百": 2,
    "백": 2,
    "千": 3,
    "천": 3,
    "万": 4,
    "萬": 4,
    "만": 4,
    "億": 8,
    "亿": 8,
    "억": 8,
    "兆": 12,
}
MYRIADS = "".join(_MYRIADS)
_COUNTED = late(rf"([0-9]*)([{MYRIADS}]*)")


def same_value(left: Value, right: Value) -> bool:
    """Whether two values are exactly equal.

    >>> same_value(Decimal("0.5"), Fraction(1, 2)), same_value(Decimal("0.333"), Fraction(1, 3))
    (True, False)
    """
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return left == right
    a, b = _fraction(left), _fraction(right)
    return a is not None and a == b


def mixed(found: dict[str, str | None]) -> Value | None:
    r"""A fraction in LaTeX, with a whole number before it or without."""
    part = _ratio(found["top"] or found["top1"] or "", found["low"] or found["low1"])
    whole = found["whole"]
    return part if part is None or not whole else Fraction(whole) + Fraction(part)


def value_of(found: dict[str, str | None], lead: str) -> Value | None:
    """The value that the groups of a match stand for, with ``lead`` (a point or nothing) before its digits."""
    point = found["point"] or ""
    if point.count(".") + len(lead) > 1:
        return None  # a version or an address
    whole = found["int"] or ""
    if "." in whole:  # 1.234,56 has its points where others have commas
        whole, _, cents = whole.partition(",")
        point = f".{cents}"
    digits = whole if whole.isdecimal() else re.sub(r"[^0-9]", "", whole)
    exponent = int(found["ten"] or (found["tens"] or "0").translate(_RAISED_DIGITS))
    exponent += SCALES.get((found["scale"] or "").lower(), 0) + int((found["exp"] or "e0")[1:20])
    try:
        value = Decimal(f"{lead}{digits}{point}e{exponent}")
    except InvalidOperation:
        return None
    if counted := found.get("myriad"):
        return _in_myriads(value, counted)
    power = found["up"] or (found["ups"] or "").translate(_RAISED_DIGITS)
    if not power:
        return _with_fraction(value, found)
    raised = _power(value, int(power))
    by = _fraction(Decimal(found["by"])) if found["by"] else Fraction(1)
    return raised / by if raised is not None and by else None


def _in_myriads(value: Decimal, counted: str) -> Value | None:
    """The value of the number that goes on so: 1億2000万 is 120,000,000, 3千万 is 30,000,000."""
    total, head = Fraction(0), _fraction(value)
    if head is None:
        return None
    for digits, units in _COUNTED.findall(counted):
        total += (Fraction(int(digits)) if digits else head) * 10 ** sum(
            map(_MYRIADS.__getitem__, units)
        )
        head = Fraction(0)
    return total


def _power(base: Decimal, exponent: int) -> Fraction | None:
    exact = _fraction(base)
    if (
        exact is None
        or abs(exponent) > 400
        or max(exact.numerator.bit_length(), exact.denominator.bit_length()) > 400
        or (not exact and exponent < 0)
    ):
        return None
    return exact**exponent


def _with_fraction(value: Decimal, found: dict[str, str | None]) -> Value | None:
    if found["by"]:
        return _ratio(str(value), found["by"])
    if found["vulgar"]:
        part = _fraction(value)
        return None if part is None else part + VULGAR[found["vulgar"].strip()]
    if found["over"] and found["under"] and int(found["over"]) < int(found["under"]):
        whole = _fraction(value)
        return None if whole is None else whole + Fraction(int(found["over"]), int(found["under"]))
    return None if found["over"] else value


def _ratio(over: str, under: str | None) -> Value | None:
    if over.isdecimal() and under and under.isdecimal() and len(over) + len(under) < 4000:
        return Fraction(int(over), int(under)) if int(under) else None
    try:
        top, bottom = (
            _fraction(Decimal(over.replace(",", ""))),
            _fraction(Decimal((under or "").replace(",", ""))),
        )
    except InvalidOperation:
        return None
    return top / bottom if top is not None and bottom else None


def _fraction(value: Value) -> Fraction | None:
    """The value as a fraction, unless its digits would fill the memory."""
    if isinstance(value, Fraction):
        return value
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > 4000 or abs(value.adjusted()) > 4000:
        return None
    return Fraction(value)
