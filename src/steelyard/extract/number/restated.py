"""A last number that only rounds or supports the one before it: 1/6 ≈ 0.1667, p = 17 because 13 < 17."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from steelyard.extract.number.quantity import is_compared, is_part
from steelyard.extract.number.several import is_money, last_before
from steelyard.text.late import late
from steelyard.text.number.read import Number

_ROUNDED = late(
    r"[ ]?(?:[≈≃]|(?<=[ ])~|\((?:approximately|approx\.?|about|roughly|around)[ ])[\s$\\(]{0,4}-?\Z",
    re.IGNORECASE,
)
_REASON = late(r"\b(?:because|since|as)\b(?:[^.!?\n]|\.(?=\d)){0,80}\Z", re.IGNORECASE)
_FINEST = 50  # decimal places; nobody rounds to more


def exact(shown: str, number: Number) -> Number:
    """The fraction that the number rounds, if it does; else the number itself.

    >>> from steelyard.text.number.read import last_number
    >>> text = "P = 6/36 = 1/6 ≈ 0.1667"; exact(text, last_number(text)).value
    Fraction(1, 6)
    """
    start = number.span[0]
    before = shown[max(0, start - 20) : start]
    if before.isascii() and "~" not in before and "(a" not in before and "(r" not in before:
        return number
    sign = _ROUNDED.search(before)
    if sign is None or is_money(shown, number):
        return number
    first = last_before(shown, start - len(before) + sign.start())
    return (
        first if first and _rounds(first, number, shown) and not is_part(shown, first) else number
    )


def _rounds(first: Number, number: Number, shown: str) -> bool:
    """Whether the number is the fraction to as many places as it has, perhaps in percent."""
    if not isinstance(first.value, Fraction) or not isinstance(number.value, Decimal):
        return False
    if "." in shown[slice(*first.span)]:
        return False  # 0.019 / 0.118 is a division, and what it gives is its result
    places = -int(number.value.as_tuple().exponent)
    if not 0 <= places <= _FINEST or number.value.adjusted() > _FINEST:
        return False
    percent = shown[number.span[1] : number.span[1] + 2].lstrip(" \\")[:1] == "%"
    return abs(first.value * (100 if percent else 1) - Fraction(number.value)) <= Fraction(
        1, 10**places
    )


def before_reason(shown: str, number: Number) -> Number | None:
    """The number that the sentence gives before it says why with a comparison: 17, since it is > 13."""
    start = number.span[0]
    reason = _REASON.search(shown, max(0, start - 100), start)
    given = last_before(shown, reason.start()) if reason else None
    return None if given is None or is_compared(shown, given) or is_part(shown, given) else given
