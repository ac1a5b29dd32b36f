"""Run a command of ``steelyard`` inside this process."""

from __future__ import annotations

import io
import signal
import sys
from typing import NamedTuple

import pytest


class Ran(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


class Commands:
    """Calls the console entry point as the shell does, without the cost of a new interpreter."""

    def __init__(self, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capture = patch, capture

    def __call__(self, *args: object, stdin: bytes = b"") -> Ran:
        from steelyard.cli import main

        self._patch.setattr(sys, "argv", ["steelyard", *map(str, args)])
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self._patch.setenv("NO_COLOR", "1")
        self._patch.setenv("COLUMNS", "100")
        before = signal.getsignal(signal.SIGINT)
        try:
            code = main()
        except SystemExit as ended:
            code = ended.code
        finally:
            signal.signal(signal.SIGINT, before)  # at its end a command listens to none any more
        out, err = self._capture.readouterr()
        return Ran(int(code or 0), out, err)
