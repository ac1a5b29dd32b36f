"""JSON values as primitives see them: which are equal, which are numbers, and how a reason names them.

``1`` equals ``1.0``; ``1``, ``"1"`` and ``true`` are three values.
A float counts as the decimal that is written.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any

from steelyard.errors import SpecError

# No honest answer is deeper. The bound also ends the walk of a list that contains itself.
MAX_DEPTH = 10_000
_TRUE, _FALSE = ("true",), ("false",)
_SHOWN, _SHOWN_DIGITS = 60, 40
_MOST_BITS = 50_000  # to write out a larger number takes the square of its length
# Beyond these a fraction's integers would fill the memory; a division with 50 digits is enough there.
_MODEST_EXPONENT, _MODEST_DIGITS = 1_000, 1_000


class Unreadable(Exception):  # noqa: N818 - it never leaves this package
    """A value that is not JSON: NaN, an infinity, a foreign type, or a bottomless one."""


def number(value: object) -> int | Decimal | None:
    """The finite number that a JSON value is, or None; booleans are not numbers, and the integers of numpy are.

    It is of a plain type: what is derived from one may call itself equal to anything.

    >>> number(0.1), number(True), number("1"), number(float("nan"))
    (Decimal('0.1'), None, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return Decimal(float.__repr__(value)) if math.isfinite(value) else None
    if isinstance(value, Decimal):
        plain = Decimal(value)
        return plain if plain.is_finite() else None
    return value.__index__() if isinstance(value, Integral) else None


def key(value: object) -> Hashable:
    """Equal for equal JSON values and for no others; Unreadable for what is not JSON.

    >>> key([1, {"a": None}]) == key([1.0, {"a": None}]), key(1) == key(True)
    (True, False)
    """
    if type(value) is str:  # most are, and are found so at once
        return value
    plain = _plain(value)
    if plain is not None or value is None:
        return plain
    return tuple(_tokens(value))


def _plain(value: object) -> Hashable:
    """The key of a scalar; None for a container and for null."""
    if isinstance(value, str):
        return str.__str__(value)  # the text itself, whatever a derived type says that it is
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    if (found := number(value)) is not None:
        return found
    if isinstance(value, (float, Decimal)):
        raise Unreadable(describe(value))
    return None


def _tokens(root: object) -> Iterator[Hashable]:
    """A container in one flat run, without recursion: depth costs nothing and cannot overflow."""
    stack: list[Iterator[object]] = [iter((root,))]
    while stack:
        for value in stack[-1]:
            if isinstance(value, Mapping):
                yield ("{", len(value))
                stack.append(iter(_pairs(value)))
                break
            if isinstance(value, (list, tuple)):
                yield ("[", len(value))
                stack.append(iter(value))
                break
            if (token := _plain(value)) is None and value is not None:
                raise Unreadable(describe(value))
            yield token
        else:
            stack.pop()
        if len(stack) > MAX_DEPTH:
            raise Unreadable(f"nested more than {MAX_DEPTH} levels deep")


def _pairs(value: Mapping[Any, object]) -> list[object]:
    for name in value:
        if not isinstance(name, str):
            raise Unreadable(f"an object with the key {describe(name)}, which is not a string")
    return [part for name in sorted(value) for part in (name, value[name])]


def keys_of(items: Iterable[object]) -> list[Hashable]:
    """The keys of a submission's items; one that is not JSON equals nothing, not even itself."""
    found: list[Hashable] = []
    for item in items:
        try:
            found.append(key(item))
        except Unreadable:
            found.append(object())
    return found


def truth_key(want: object) -> Hashable:
    """The key of a ground truth; what is not JSON there is the author's error."""
    try:
        return key(want)
    except Unreadable as bad:
        raise SpecError(f"the ground truth is or holds {bad}; a JSON value is needed") from None


def truth_items(want: object) -> list[object]:
    """The items of a ground truth that is counted: an array that is not empty."""
    items = array(want)
    if items is None:
        raise SpecError(f"the ground truth is {describe(want)}; an array is needed")
    if not items:
        raise SpecError("the ground truth is an empty array; there is nothing to count")
    return items


def array(value: object) -> list[object] | None:
    """The items of an array, or None for everything else.

    >>> array((1, 2)), array("12")
    ([1, 2], None)
    """
    if isinstance(value, (list, tuple)):
        return list(value)
    return list(value) if isinstance(value, (set, frozenset)) else None


def wide(*numbers: int | Decimal) -> Context:
    """An arithmetic that holds the digits of all the numbers and any exponent, and never raises."""
    digits = max(_digits(n) for n in numbers)
    return Context(prec=min(MAX_PREC, digits + 50), Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


def _digits(value: int | Decimal) -> int:
    if isinstance(value, int):
        return value.bit_length() // 3 + 1
    return len(value.as_tuple().digits)


def ratio(used: int | Decimal, limit: int | Decimal) -> Fraction:
    """``used / limit`` for positive numbers; exact unless a number is absurd.

    >>> ratio(1, 3), ratio(Decimal("1e999999999"), Decimal("2e999999999"))
    (Fraction(1, 3), Fraction(1, 2))
    """
    if _modest(used) and _modest(limit):
        (top, bottom), (other_top, other_bottom) = used.as_integer_ratio(), limit.as_integer_ratio()
        return Fraction(top * other_bottom, bottom * other_top)
    quotient = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[]).divide(
        Decimal(used), Decimal(limit)
    )
    return Fraction(quotient) if _modest(quotient) else Fraction(int(used > limit))


def _modest(value: int | Decimal) -> bool:
    if isinstance(value, int):
        return True
    _, digits, low = value.as_tuple()
    return isinstance(low, int) and abs(low) <= _MODEST_EXPONENT and len(digits) <= _MODEST_DIGITS


def describe(value: object) -> str:
    """What a reason says of a value: short, printable and safe for any value.

    >>> describe(None), describe([1, 2]), describe("x"), describe(10**5000)
    ('null', 'an array of 2', "'x'", '1E+5000')
    >>> describe(10**34 + 1), describe(10**99 + 7)
    ('10000000000000000000000000000000001', '100000000000…000000000007 (of 100 digits)')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        short = value if len(value) <= _SHOWN else value[:_SHOWN] + "…"
        return repr(short.encode("utf-8", "backslashreplace").decode())
    if isinstance(value, (int, float, Decimal)):
        return _describe_number(value)
    if isinstance(value, (list, tuple)):
        return f"an array of {len(value)}" if value else "an empty array"
    if isinstance(value, Mapping):
        return "an object"
    whole = number(value)
    return f"a Python {type(value).__name__}" if whole is None else _describe_number(whole)


def _describe_number(value: float | Decimal) -> str:
    if (found := number(value)) is None:
        return "NaN" if Decimal(value).is_nan() else "an infinity"
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(found, int) and found.bit_length() > _MOST_BITS:
        return f"a whole number of about {round(found.bit_length() * math.log10(2))} digits"
    written = Decimal(found)
    if abs(written.adjusted()) < _SHOWN_DIGITS and _digits(found) <= _SHOWN_DIGITS:
        return str(found)
    bare = written.normalize(
        Context(prec=_digits(found) + 1, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
    )
    if _digits(bare) <= _SHOWN_DIGITS:
        return str(bare)
    sign, digits, low = written.as_tuple()
    shown = "".join(map(str, digits[:12])) + "…" + "".join(map(str, digits[-12:]))
    scale = f"E{low:+}" if low else ""
    return f"{'-' * sign}{shown}{scale} (of {len(digits)} digits)"
