"""Code that is not ours, called: whatever it does, the one who called it learns what came of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any, NoReturn

_LONGEST = 1_000


def caught(fn: Callable[..., Any], *args: Any) -> tuple[Any, BaseException | None]:
    """What a user's code gives, or else what it raised, which may be anything: the one place out here where that is caught.

    >>> caught(abs, -1), caught(abs, "x")[1] is None
    ((1, None), False)
    """
    here = os.getpid()
    found: tuple[Any, BaseException | None]
    try:
        found = fn(*args), None
    except BaseException as failed:  # noqa: BLE001 - a user's code may raise anything, and none may end a run
        found = None, failed
    if os.getpid() != here:
        _end_copy(found[1])
    return found


def _end_copy(failed: BaseException | None) -> NoReturn:
    """End a process that the code forked and let return: it is a copy of this one, and must not speak in its place.

    Its exit code is the one that a program of its own would have.
    """
    code = failed.code if type(failed) is SystemExit else failed
    os._exit(code & 0xFF if isinstance(code, int) else int(code is not None))


def shown(value: object) -> str:
    """``str(value)``, or what the value is where its own code cannot say it.

    >>> shown(7)
    '7'
    """
    if type(value) is str:
        return value
    text, failed = caught(str, value)
    return text if failed is None else f"{type(value).__name__} that cannot be shown"


def told(failed: BaseException) -> str:
    """An exception as one sentence: its type, and its message if it has one."""
    message = shown(failed)[:_LONGEST]
    return f"{type(failed).__name__}: {message}" if message else type(failed).__name__


def repeated_key(data: str | bytes) -> str | None:
    """Return a key that an object of a JSON text has twice: nobody can tell which one is meant.

    >>> repeated_key('{"a": {"b": 1, "b": 1}}'), repeated_key('{"a": {"b": 1}, "b": 1}')
    ('b', None)
    """
    twice: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        seen = set()
        for key, _ in pairs:
            if key in seen:
                twice.append(key)
            seen.add(key)

    try:
        json.loads(data, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return None
    return twice[0] if twice else None
