"""When two pieces of plain data are the same, by our own rules: no method of a submitted object is ever asked.

A tuple equals a list. ``True`` is not 1, 1 equals 1.0, NaN equals NaN. Integers are compared exactly. A wanted float
is met within a relative 1e-9; a task that states a tolerance states it for every pair of numbers of which one is a
float. Sets equal sets only, and keys and members are compared exactly, since nearness is no equality among them.
Strings are compared code point by code point.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Hashable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any

import msgspec

MAX_DEPTH = 256
_SHOWN = 60
_SEQUENCES, _SETS, _BYTES = (list, tuple), (set, frozenset), (bytes, bytearray)
_REALS = (int, float, Decimal, Fraction)
_NUMBERS = (*_REALS, complex)
_NAN = ("NaN",)
_SHORT = Context(prec=12, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_WIDE = Context(prec=1_000_000, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
# Beyond this a fraction's integers would fill the memory.
_MODEST = 10_000
_NEARLY_ONE = 1 - 1e-6


class Tolerance(msgspec.Struct, frozen=True, kw_only=True):
    """How far a number may lie from the wanted one: ``max(abs, rel × |wanted|)``, the bound itself inside."""

    rel: float = 0.0
    abs: float = 0.0

    def allows(self, got: float, want: float) -> bool:
        """Whether two floats are near enough; an infinity is near nothing but itself.

        >>> Tolerance(abs=0.1).allows(0.3, 0.2), Tolerance(rel=1e-9).allows(math.inf, 1.0)
        (True, False)
        """
        if got == want:
            return True
        if not (math.isfinite(got) and math.isfinite(want)):
            return False
        rough = abs(got - want) / (max(self.abs, self.rel * abs(want)) or math.ulp(0.0))
        if not _NEARLY_ONE < rough < 1 / _NEARLY_ONE:
            return rough < 1
        # At the bound itself the decimals that are written decide.
        wanted = Fraction(repr(want))
        room = max(Fraction(repr(self.abs)), Fraction(repr(self.rel)) * abs(wanted))
        return abs(Fraction(repr(got)) - wanted) <= room


NEAR = Tolerance(rel=1e-9)


def difference(got: object, want: object, *, tolerance: Tolerance | None = None) -> str | None:
    """None where both are the same; else where they differ, without a word of what was wanted.

    >>> difference((1, 2.0), [1.0, 2]), difference([1, {"a": True}], [1, {"a": 1}])
    (None, "returned an array of 2, which differs from the expected value at [1]['a']")
    >>> difference(5, 6)
    'returned 5, which is not the expected value'
    """
    place = _Comparison(tolerance).differ(got, want, 0)
    if place is None:
        return None
    if not place:
        return f"returned {shown(got)}, which is not the expected value"
    return f"returned {shown(got)}, which differs from the expected value at {place[: _SHOWN * 2]}"


class _Comparison:
    """Walks two values at once; ``differ`` gives the place of the first difference, '' for the top, or None."""

    def __init__(self, stated: Tolerance | None) -> None:
        self._stated = stated

    def differ(self, got: object, want: object, depth: int) -> str | None:
        """The first place at which they differ."""
        if depth > MAX_DEPTH:
            return ""
        if isinstance(got, _SEQUENCES) and isinstance(want, _SEQUENCES):
            return self._sequences(got, want, depth)
        if isinstance(got, deque) and isinstance(want, deque):
            return self._sequences(got, want, depth)
        if isinstance(got, Mapping) and isinstance(want, Mapping):
            return self._mappings(got, want, depth)
        return None if self._alike(got, want) else ""

    def _sequences(self, got: Any, want: Any, depth: int) -> str | None:
        if len(got) != len(want):
            return ""
        for place, (ours, theirs) in enumerate(zip(got, want, strict=True)):
            found = self.differ(ours, theirs, depth + 1)
            if found is not None:
                return f"[{place}]{found}"
        return None

    def _mappings(self, got: Mapping[Any, Any], want: Mapping[Any, Any], depth: int) -> str | None:
        if len(got) != len(want):
            return ""
        held = {key(name): (name, value) for name, value in got.items()}
        for name, value in want.items():
            pair = held.get(key(name))
            if pair is None:
                return ""  # which key is missing would tell what was wanted
            found = self.differ(pair[1], value, depth + 1)
            if found is not None:
                return f"[{shown(pair[0])}]{found}"
        return None

    def _alike(self, got: object, want: object) -> bool:
        if isinstance(got, bool) or isinstance(want, bool):
            return got is want
        if isinstance(got, _NUMBERS) and isinstance(want, _NUMBERS):
            return self._numbers(got, want)
        if isinstance(got, _SETS) and isinstance(want, _SETS):
            return len(got) == len(want) and key(got) == key(want)
        if isinstance(got, _BYTES) and isinstance(want, _BYTES):
            return got == want
        # What is left is compared within its own type, so that no rule of conversion comes in.
        return type(got) is type(want) and got == want

    def _numbers(self, got: Any, want: Any) -> bool:
        if isinstance(got, complex) or isinstance(want, complex):
            return self._reals(*_part(got, want, "real")) and self._reals(*_part(got, want, "imag"))
        return self._reals(got, want)

    def _reals(self, got: Any, want: Any) -> bool:
        if _is_nan(got) or _is_nan(want):
            return _is_nan(got) and _is_nan(want)
        if got == want:
            return True
        # What is beyond all floats became an infinity, which it does not equal.
        floats = isinstance(want, float) or (self._stated is not None and isinstance(got, float))
        ours, theirs = _float(got), _float(want)
        return floats and math.isfinite(ours) and (self._stated or NEAR).allows(ours, theirs)


def _part(got: Any, want: Any, name: str) -> tuple[Any, Any]:
    """The real or the imaginary parts of two numbers; of a real number as it is, unrounded."""
    return tuple(
        getattr(number, name) if isinstance(number, complex) else (number if name == "real" else 0)
        for number in (got, want)
    )  # type: ignore[return-value]


def _is_nan(value: Any) -> bool:
    return (
        value.is_nan()
        if isinstance(value, Decimal)
        else isinstance(value, float) and value != value
    )


def _float(value: Any) -> float:
    """The nearest float; an infinity for what is beyond all floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def key(value: object, depth: int = 0) -> Hashable:
    """Equal for values that are the same without any tolerance, and for no others.

    >>> key((1, True)) == key([1.0, True]), key((1, True)) == key([1, 1])
    (True, False)
    """
    if depth > MAX_DEPTH:
        return object()  # so deep that it equals nothing
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, _NUMBERS):
        return _number_key(value)
    if isinstance(value, _BYTES):
        return ("bytes", bytes(value))
    if isinstance(value, _SEQUENCES):
        return ("array", *(key(item, depth + 1) for item in value))
    if isinstance(value, _SETS):
        return ("set", frozenset(key(item, depth + 1) for item in value))
    if isinstance(value, Mapping):
        return (
            "object",
            frozenset((key(k, depth + 1), key(v, depth + 1)) for k, v in value.items()),
        )
    return (type(value).__name__, value) if isinstance(value, Hashable) else object()


def _number_key(value: Any) -> Hashable:
    """One text for all kinds of the same number: a text's hash cannot be foreseen, while a number's can.

    Numbers made to have one hash would let a set of them take hours.
    """
    if isinstance(value, complex):
        if value.imag == 0:
            return _number_key(value.real)
        return ("complex", _number_key(value.real), _number_key(value.imag))
    if _is_nan(value):
        return _NAN
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) > _MODEST:
        return ("number", str(value.normalize(_WIDE)))
    if not isinstance(value, (int, Fraction)) and not math.isfinite(value):
        return ("number", "+" if value > 0 else "-")
    top, bottom = value.as_integer_ratio()
    return ("number", f"{top:x}/{bottom:x}")


def shown(value: object) -> str:
    """A value in a few words that are safe to print and quick to make, whatever the value.

    >>> shown("x" * 100)[-2:], shown({1}), shown(10**400)
    ("…'", 'a set of 1', '1E+400')
    """
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, str):
        short = value if len(value) <= _SHOWN else value[:_SHOWN] + "…"
        return ascii_or_same(repr(short))
    if isinstance(value, _NUMBERS):
        return _shown_number(value)
    if isinstance(value, _BYTES):
        return f"{len(value)} bytes"
    for kinds, noun in ((_SEQUENCES, "an array"), (_SETS, "a set"), (Mapping, "a dict")):
        if isinstance(value, kinds):
            return f"{noun} of {len(value)}" if value else f"{noun} without items"
    return f"a {type(value).__name__}"


def ascii_or_same(text: str) -> str:
    """The text, with half a surrogate pair as its escape, so that any stream can print it."""
    return text.encode("utf-8", "backslashreplace").decode()


def _shown_number(value: Any) -> str:
    if isinstance(value, (float, complex)):
        return repr(value)
    if isinstance(value, Fraction):
        return f"{_shown_number(value.numerator)}/{_shown_number(value.denominator)}"
    if isinstance(value, int) and value.bit_length() > 3 * _MODEST:
        return "a number of very many digits"
    if isinstance(value, int) and value.bit_length() < 128:
        return str(value)
    return str(_SHORT.create_decimal(value).normalize(_SHORT))
