"""Reading the arguments of a statistic: what is not a usable number is refused, with the reason."""

from __future__ import annotations

import operator
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
    return number
