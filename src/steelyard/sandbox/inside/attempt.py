"""The one place inside a box where anything that a candidate's code, or a test, may raise is caught."""

from __future__ import annotations

import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes longer to load than all of this
    from collections.abc import Callable
    from typing import Any

LONGEST = 500
# These end a program; they are no failure that a test could be waiting for.
ENDINGS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")


def attempt(fn: Callable[..., Any], *args: Any) -> tuple[Any, BaseException | None]:
    """What the function gives, or else what it raised, which may be anything."""
    try:
        return fn(*args), None
    except BaseException as failed:  # noqa: BLE001 - a candidate may raise anything, and is told of it
        return None, failed


def failure(failed: BaseException) -> dict[str, Any]:
    """An exception as plain data, whatever it does to keep its name, its text or its number to itself."""
    found, unreadable = attempt(_failure, failed)
    return (
        {"type": "Exception", "base": "Exception", "text": "", "errno": None}
        if unreadable is not None
        else found
    )


def _failure(failed: BaseException) -> dict[str, Any]:
    """Its type's name, its nearest built-in type, its text and its error number."""
    names = [kind.__name__ for kind in type(failed).__mro__]
    base = next((kind.__name__ for kind in type(failed).__mro__ if is_builtin(kind)), "Exception")
    text, unreadable = attempt(_text, failed)
    number = failed.errno if isinstance(failed, OSError) else None
    return {
        "type": _readable(names[0])[:100],
        "base": base,
        "text": "" if unreadable is not None else text,
        "errno": number if type(number) is int else None,
    }


def is_builtin(kind: type) -> bool:
    """Whether the class is the built-in exception of its name."""
    return getattr(builtins, kind.__name__, None) is kind and issubclass(kind, BaseException)


def _text(failed: BaseException) -> str:
    return _readable(str.__getitem__(str(failed), slice(LONGEST)))


def _readable(text: str) -> str:
    """Without halves of characters, which no message can carry."""
    return str.encode(str.__str__(text), "utf-8", "replace").decode("utf-8")
