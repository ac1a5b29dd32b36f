"""What a test may take for granted: modules that it forgot to import, and the little of pytest that it uses."""

from __future__ import annotations

import importlib.util
import re
import sys
import types
from typing import Any

from .attempt import attempt
from .declared import Material


def offer() -> None:
    """Makes ``import pytest`` work, if it would not."""
    if importlib.util.find_spec("pytest") is None:
        module = types.ModuleType("pytest")
        module.__dict__.update(raises=Raises, approx=Approx)
        sys.modules["pytest"] = module


def import_missing(space: dict[str, Any], wanted: tuple[str, ...], material: Material) -> None:
    """Modules that the test uses under their usual names; they are never the candidate's to give."""
    for name in wanted:
        meant = material.module(name) if name not in space else None
        if meant is not None:
            module, failed = attempt(importlib.import_module, meant)
            if failed is None:
                space[name] = module


class Raises:
    """A block in which that exception has to be raised."""

    def __init__(self, expected: Any, match: str | None = None) -> None:
        self._expected, self._match = expected, match
        self.value: BaseException | None = None

    def __enter__(self) -> Raises:
        return self

    def __exit__(self, kind: Any, value: BaseException | None, trace: Any) -> bool:
        if kind is None:
            raise AssertionError(f"{self._expected} was not raised")
        if not issubclass(kind, self._expected):
            return False
        if self._match is not None and not re.search(self._match, str(value)):
            raise AssertionError(f"{self._match!r} is not in the message")
        self.value = value
        return True


class Approx:
    """Equal to numbers, or lists and dicts of them, that are near enough."""

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None) -> None:  # noqa: A002 - pytest's
        self._expected = expected
        self._rel, self._abs = rel, abs

    def __eq__(self, got: object) -> bool:
        return self._near(got, self._expected)

    __hash__ = None  # type: ignore[assignment]

    def _near(self, got: Any, want: Any) -> bool:
        if isinstance(want, (list, tuple)):
            same = isinstance(got, (list, tuple)) and len(got) == len(want)
            return same and all(map(self._near, got, want))
        if isinstance(want, dict):
            same = isinstance(got, dict) and got.keys() == want.keys()
            return same and all(self._near(got[key], want[key]) for key in want)
        if got == want or not isinstance(got, (int, float, complex)):
            return bool(got == want)
        rel = 1e-6 if self._rel is None and self._abs is None else (self._rel or 0.0)
        room = max(1e-12 if self._abs is None else self._abs, rel * abs(want))
        return bool(abs(got - want) <= room)
