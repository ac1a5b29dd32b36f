"""The languages of program tasks: how each is compiled and run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec


class Language(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file that the source goes into, the command that compiles it, if any, and the one that runs it."""

    file: str
    run: tuple[str, ...]
    compile: tuple[str, ...] = ()
    product: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def needs(self) -> str:
        """The program without which nothing can be done."""
        return (self.compile or self.run)[0]


@cache
def languages() -> Mapping[str, Language]:
    """All languages by their names."""
    data = files("steelyard").joinpath("data", "languages.json").read_bytes()
    return MappingProxyType(msgspec.json.decode(data, type=dict[str, Language]))


def named(name: str) -> str | None:
    """The language's own name for a name or an alias, in any case, or None.

    >>> named("CPP"), named("cobol")
    ('c++', None)
    """
    wanted = name.strip().lower()
    for own, language in languages().items():
        if wanted == own or wanted in language.aliases:
            return own
    return None
