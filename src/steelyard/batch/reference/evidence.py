"""Values of a submission as they may stand in a score file: short, and writable whatever they were."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MAX_TEXT = 2_000
MAX_NAME = 60
MAX_ITEMS = 100
MAX_DEPTH = 6


def shortened(value: Any, depth: int = 0) -> Any:
    """The value with long texts and lists cut, and with nothing in it that JSON cannot carry.

    >>> shortened(["a", float("nan"), "x" * 3000])[:2]
    ['a', 'nan']
    """
    if isinstance(value, str):
        return short_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else short_text(hex(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if depth >= MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        kept = list(value.items())[:MAX_ITEMS]
        return {short_text(str(key)): shortened(inner, depth + 1) for key, inner in kept}
    if isinstance(value, (list, tuple, set, frozenset)):
        cut = [shortened(inner, depth + 1) for inner in list(value)[:MAX_ITEMS]]
        return cut if len(value) <= MAX_ITEMS else [*cut, f"… ({len(value)} items)"]
    return short_text(repr(value))


def short_text(text: str, limit: int = MAX_TEXT) -> str:
    """The text, cut where it is long, without halves of surrogate pairs.

    >>> short_text("a\\ud800"), short_text("abcdef", 3)
    ('a�', 'abc… (6 characters)')
    """
    cut = text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
    if cut.isascii():
        return cut
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in cut)


def quoted(text: str) -> str:
    """A text as a sentence names it: in quotes, its beginning where it is long.

    >>> quoted("ka"), quoted("x" * 70) == repr("x" * 60 + "…")
    ("'ka'", True)
    """
    return repr(text if len(text) <= MAX_NAME else text[:MAX_NAME] + "…")


def kind_of(value: Any) -> str:
    """What kind of JSON value it is, for a reader.

    >>> kind_of([1]), kind_of(None), kind_of(True)
    ('a list', 'null', 'a truth value')
    """
    if value is None:
        return "null"
    names = (
        (bool, "a truth value"),
        (str, "a string"),
        (int, "a number"),
        (float, "a number"),
        (list, "a list"),
        (dict, "an object"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), type(value).__name__)
