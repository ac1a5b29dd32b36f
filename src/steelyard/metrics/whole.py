"""Reading the arguments of a statistic: what is not a usable number is refused, with the reason."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any


def whole(name: str, value: Any) -> int:
    """The value as an int; a bool, a float or a text is refused, even where it looks whole.

    >>> whole("n", 8)
    8
    """
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        raise ValueError(f"{name} is {value!r}; an integer is needed, not a bool")
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r}; an integer is needed") from None


def share(name: str, value: Any) -> float:
    """The value as a float strictly between 0 and 1.

    >>> share("confidence", 0.95)
    0.95
    """
    if isinstance(value, (bool, str)):
        raise ValueError(f"{name} is {value!r}; a number between 0 and 1 is needed")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is {value!r}; a number between 0 and 1 is needed") from None
    if not 0 < number < 1:
        raise ValueError(f"{name} is {value!r}; it must be above 0 and below 1")
    if not 0.5 < 0.5 + number / 2 < 1:  # where its quantile is looked up
        raise ValueError(f"{name} is {value!r}; that is too near 0 or 1 to be told from it")
    return number


def exact(name: str, value: Any) -> Fraction:
    """The value without a rounding; what is no finite number is refused.

    >>> exact("total", 0.5)
    Fraction(1, 2)
    """
    try:
        number = math.nan if isinstance(value, (str, bytes)) or value is None else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} is {value!r}; it must be finite, and a number")
    return Fraction(value) if isinstance(value, (int, Fraction)) else Fraction(number)


def exact_sum(values: Iterable[float]) -> Fraction:
    """The sum of floats without a rounding.

    >>> float(exact_sum([0.1, 0.2, 0.3]) / 3)
    0.2
    """
    left, total = list(values), Fraction(0)
    # The nearest float to what is left, until nothing is: two or three times, as a rule.
    while part := math.fsum(left):
        left.append(-part)
        total += Fraction(part)
    return total


def exact_mean(values: Sequence[float]) -> float:
    """The mean, rounded once.

    >>> exact_mean([0.1, 0.2, 0.3])
    0.2
    """
    return float(exact_sum(values) / len(values))


def listed(name: str, given: Iterable[Any]) -> list[Any]:
    """What was given as a list; what has no items is refused.

    >>> listed("values", (0, 1))
    [0, 1]
    """
    return list(each(name, given))


def each(name: str, given: Any) -> Iterable[Any]:
    """What was given, to be gone through; what has no items is refused.

    >>> each("values", (0, 1))
    (0, 1)
    """
    if not (hasattr(given, "__iter__") or hasattr(given, "__getitem__")):
        raise ValueError(f"{name} is {given!r}; a sequence is needed")
    return given  # type: ignore[no-any-return]
