"""Patterns that are compiled when they are first used: there are many, and most commands need few of them."""

from __future__ import annotations

import re
from typing import Any, cast

_USED = (
    "search",
    "match",
    "fullmatch",
    "finditer",
    "findall",
    "sub",
    "subn",
    "split",
    "pattern",
    "flags",
    "groups",
)


class _Late:
    """A pattern to be; once it is compiled, what it can do is found on this as on any object."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        made = re.compile(*self._given)
        self.__dict__.update({used: getattr(made, used) for used in _USED})
        return getattr(made, name)


def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, compiled at its first use; what is wrong with it is told then.

    >>> words = late(r"[a-z]+")
    >>> words.findall("two words"), words.pattern
    (['two', 'words'], '[a-z]+')
    """
    return cast(re.Pattern[str], _Late(pattern, flags))
