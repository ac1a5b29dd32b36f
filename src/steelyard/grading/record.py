"""What is kept of a grading: the verdict, a line a test, and the first lines that the program printed.

Expected values, arguments, test code and secrets never come in here.
"""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from typing import Any

import msgspec

from steelyard.grading.verdict import Verdict
from steelyard.score import Part, Score, exact, unscored

EXCERPT_BYTES = 2_000
_EXCERPT_LINES = 40
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """One test of a task: its verdict, its share of the value, and one sentence why."""

    name: str
    verdict: Verdict
    value: float | None
    weight: float = 1.0
    reason: str = ""
    wall_s: float | None = None


class Graded(msgspec.Struct, frozen=True, kw_only=True):
    """What a program is worth: ``passed`` only if every test was accepted; None where the fault is ours."""

    passed: bool | None
    verdict: Verdict
    value: float | None
    reason: str
    tests: tuple[CaseResult, ...]
    stdout: str
    stderr: str
    wall_s: float
    peak_memory: int | None
    sandbox: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a file or a reader; each test says too whether it passed."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        for test, told in zip(self.tests, found["tests"], strict=True):
            told["passed"] = None if test.value is None else test.verdict == "accepted"
        return found

    def score(self) -> Score:
        """The same as a Score, with a part a test."""
        detail = {
            "verdict": self.verdict,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "wall_s": self.wall_s,
            "peak_memory": self.peak_memory,
            "sandbox": self.sandbox,
        }
        if self.value is None:
            return unscored(self.reason, detail=detail)
        parts = tuple(
            Part(name=test.name, score=_part(test), weight=test.weight) for test in self.tests
        )
        return Score(
            value=self.value,
            correct=self.passed is True,
            reason=self.reason,
            parts=parts,
            detail=detail,
        )


def _part(test: CaseResult) -> Score:
    return Score(
        value=test.value,
        correct=test.verdict == "accepted",
        reason=test.reason,
        detail={"verdict": test.verdict},
    )


def weighted(tests: tuple[CaseResult, ...]) -> float:
    """The weighted share of the tests; 1 only if each is worth 1.

    >>> weighted((CaseResult(name="a", verdict="accepted", value=1.0), CaseResult(name="b", verdict="no_result", value=0.0)))
    0.5
    """
    total = sum((exact(test.weight) for test in tests), Fraction(0))
    earned = sum((exact(test.weight) * exact(test.value or 0) for test in tests), Fraction(0))
    found = float(earned / total)
    # Rounding must not turn a failure of a hair's weight into full marks.
    return found if found < 1 or earned == total else 1 - 2**-53


def excerpt(data: bytes) -> str:
    """The first lines of an output: valid text of bounded size, in which nothing steers a terminal.

    >>> excerpt(b"one\\x1b[31m\\r\\ntwo\\xff\\n")
    'one␛[31m\\ntwo�\\n'
    """
    text = data[:EXCERPT_BYTES].decode("utf-8", "replace").replace("\r\n", "\n")
    shown = "".join(_harmless(char) for char in text)
    kept = "".join(shown.splitlines(keepends=True)[:_EXCERPT_LINES])
    fits = kept.encode()[: EXCERPT_BYTES - 8].decode("utf-8", "ignore")
    cut = len(fits) < len(kept) or len(kept) < len(shown) or len(data) > EXCERPT_BYTES
    return f"{fits}…" if cut else fits


def _harmless(char: str) -> str:
    if char in "\n\t" or (char.isascii() and char.isprintable()):
        return char
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return "\ufffd" if unicodedata.category(char) in _INVISIBLE else char


def one_line(text: str, limit: int = 200) -> str:
    """The beginning of a text on one line, for a reason.

    >>> one_line("a\\nb")
    'a b'
    """
    short = " ".join(text[: limit * 4].split())
    return "".join(_harmless(char) for char in short[:limit]) + ("…" if len(short) > limit else "")
