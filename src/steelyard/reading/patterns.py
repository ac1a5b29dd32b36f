"""Read what a user's own pattern finds; RE2 takes linear time on any pattern and text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from steelyard.errors import SpecError
from steelyard.reading.cuts import cut
from steelyard.reading.found import Found, Trace
from steelyard.reading.outcome import Reading, found, missing
from steelyard.registry import EXTRACTORS

# RE2 reads UTF-8, in which half of a surrogate pair has no form.
_SURROGATE = re.compile("[\ud800-\udfff]")
# \C is one byte, and part of a character is not text; \\ and \Q…\E are passed over.
_BYTE = re.compile(r"(?s)\\Q.*?(?:\\E|$)|\\(C|.)")


def read_pattern(response: str, pattern: str, trace: Trace | None = None) -> Reading:
    r"""Read the last match of a pattern that is not empty: its first group, or all of it.

    Reasoning and end tokens are cut; a new task is not, since the pattern says what counts.

    >>> read_pattern("Answer: J", r"(?i)answer\s*:\s*([A-J])").value
    'J'
    """
    text = _SURROGATE.sub("\ufffd", cut(response))
    program = compiled(pattern)
    group = 1 if program.groups else 0
    spans = [match.span(group) for match in program.finditer(text)]
    spans = [(start, end) for start, end in spans if start < end]
    reading = missing("the pattern did not match")
    if spans:
        start, end = spans[-1]
        reading = found(response[start:end], start, end, "the last match of the pattern")
    if trace is not None:
        trace.add("pattern", f"{pattern!r}: {reading.outcome}: {reading.reason}", reading.span)
    return reading


@lru_cache(maxsize=64)
def compiled(pattern: str) -> Any:
    """Compile a pattern for RE2; one that it cannot run is a SpecError."""
    import re2

    if not isinstance(pattern, str):
        raise SpecError(f"must be a string, not {pattern!r}", path="pattern")
    if any(escape[1] == "C" for escape in _BYTE.finditer(pattern)):
        why = r"has \C, which is a byte and not a character; . is any character"
        raise SpecError(f"the pattern {pattern!r} {why}", path="pattern")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options=options)
    except re2.error as failed:
        told = failed.args[0] if failed.args else failed
        told = told.decode(errors="replace") if isinstance(told, bytes) else told
        why = f"{_why_not(pattern)} ({told})"
        raise SpecError(f"the pattern {pattern!r} {why}", path="pattern") from None


def _why_not(pattern: str) -> str:
    """Say why RE2 refuses a pattern: Python accepts the ones that need more than linear time."""
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as wrong:
        return f"is not a regular expression: {wrong}"
    return "cannot be run in linear time; look-around and back-references are not available"


@EXTRACTORS.register("pattern")
def find_pattern(text: str, *, pattern: str, trace: Trace | None = None) -> Found | None:
    r"""Find the last match of a pattern: its first group, or all of it.

    >>> find_pattern("Answer: J", pattern=r"(?i)answer\s*:\s*([A-J])")
    Found(value='J', span=(8, 9), stage='the last match of the pattern')
    """
    reading = read_pattern(text, pattern, trace)
    return Found(reading.value, reading.span, reading.rule) if reading.span else None
