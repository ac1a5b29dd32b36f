"""Read a line of text."""

from __future__ import annotations

import re

from steelyard.reading.found import Found, Trace
from steelyard.reading.marks import Mark, mark_name
from steelyard.reading.outcome import ENCLOSED, MARKED, Reading, as_found, found, missing
from steelyard.reading.rules import read
from steelyard.registry import EXTRACTORS
from steelyard.values.normal import INVISIBLE, unwrap

# The escapes of a JSON string; \\n and \\t are left, since \\nu and \\text are LaTeX.
_ESCAPE = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\([\"\\/])")


def _unescaped(escape: re.Match[str]) -> str:
    """Return the characters that an escape stands for."""
    if escape[2]:
        return escape[2]
    units = bytes.fromhex(escape[1].replace("\\u", ""))
    return units.decode("utf-16-be", "replace")


class Lines:
    """Text as a kind of value: what follows the mark, or the last line."""

    name = "text"

    def read_after(self, text: str, mark: Mark, start: int, end: int) -> Reading | None:
        """Read the text after a mark, up to the end of its region."""
        start, end = unwrap(text, *_stripped(text, start, end))
        value = text[start:end]
        if not value.strip("*_`"):
            return None
        if mark.kind == "key" and "\\" in value:
            value = _ESCAPE.sub(_unescaped, value)
        rule = ENCLOSED if mark.kind in {"key", "tag", "box"} else MARKED
        return found(value, start, end, rule, mark_name(text, mark))

    def read_alone(self, text: str, low: str) -> Reading:
        """Read the last line that is not blank."""
        end = len(text.rstrip(INVISIBLE))
        if text.endswith(("\n```", "\n~~~"), 0, end):
            end = len(text[: end - 3].rstrip(INVISIBLE))
        if not end:
            return missing("the response is empty")
        start = text.rfind("\n", 0, end) + 1
        start, end = unwrap(text, *_stripped(text, start, end))
        return found(text[start:end], start, end, "the last line")


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where text[start:end] stands without outer white space."""
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    return start + left, start + max(left, len(part.rstrip()))


LINES = Lines()


@EXTRACTORS.register("answer", version="2")
def find_answer(text: str, *, trace: Trace | None = None) -> Found | None:
    r"""Find the text after the last mark, or the last line, without its wrappers.

    >>> find_answer("Step 1: ...\nAnswer: **42**.")
    Found(value='42', span=(22, 24), stage='the value after a mark')
    """
    return as_found(text, read(text, LINES, trace))
