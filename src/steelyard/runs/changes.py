"""What differs between the run that was begun and the one that is to go on with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

_LONGEST = 80
_MISSING = object()


class Change(NamedTuple):
    """One thing that shapes samples and is no longer the same."""

    path: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}: {self.before} → {self.after}"


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Everything that differs, in the order of its path.

    >>> [str(change) for change in changes({"model": {"name": "a"}, "seed": 1}, {"model": {"name": "b"}, "seed": 1})]
    ['model.name: "a" → "b"']
    """
    return sorted(_walk("", before, after))


def _walk(path: str, before: Any, after: Any) -> Iterator[Change]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in {*before, *after}:
            inner = f"{path}.{key}" if path else str(key)
            yield from _walk(inner, before.get(key, _MISSING), after.get(key, _MISSING))
    elif before != after or type(before) is not type(after):
        yield Change(path, _shown(before), _shown(after))


def _shown(value: Any) -> str:
    if value is _MISSING:
        return "nothing"
    text = msgspec.json.encode(value, enc_hook=str).decode()
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
