"""What a user's own pattern finds; it runs in linear time, whatever the pattern and the text."""

from __future__ import annotations

import functools
import re
from typing import Any

from steelyard.errors import SpecError
from steelyard.extract.choice.commitment import commits
from steelyard.extract.choice.letters import masked, patterns
from steelyard.extract.found import Found, Trace
from steelyard.registry import EXTRACTORS
from steelyard.text.claim.denial import denied_before
from steelyard.text.late import late
from steelyard.text.visible import visible


@EXTRACTORS.register("pattern")
def find_pattern(text: str, *, pattern: str, trace: Trace | None = None) -> Found | None:
    r"""The last match's first group in upper case; a single letter has to be a whole word, and committed to.

    >>> find_pattern("Answer: J", pattern=r"(?i)Answer\s*:\s*([A-J])")
    Found(value='J', span=(8, 9), stage='pattern')
    """
    program = compiled(pattern)
    shown = visible(text)
    plain = masked(shown)
    found = None
    for stage, where in (("pattern", shown), ("pattern without wrappers", plain)):
        spans = [span for span in _spans(program, where) if _stands(shown, plain, *span)]
        if spans and found is None:
            start, end = spans[-1]
            found = Found(text[start:end].upper(), (start, end), stage)
    if trace is not None:
        told = (
            f"{found.value!r} by {found.stage}" if found else "matches nothing that is committed to"
        )
        trace.add("pattern", f"{pattern!r}: {told}", found.span if found else None)
    return found


@functools.lru_cache(maxsize=64)
def compiled(pattern: str) -> Any:
    """The pattern, compiled for RE2; one that it cannot run is a SpecError."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options=options)
    except (re2.error, TypeError) as failed:
        told = failed.args[0] if failed.args else failed
        told = told.decode(errors="replace") if isinstance(told, bytes) else told
        raise SpecError(
            f"the pattern {pattern!r} {_why_not(pattern, told)}", path="pattern"
        ) from None


def _why_not(pattern: object, told: object) -> str:
    """What Python takes for a pattern needs more than linear time; what it does not is none."""
    try:
        re.compile(pattern if isinstance(pattern, str) else "")
    except (re.error, RecursionError, OverflowError) as wrong:
        return f"is not a regular expression: {wrong}"
    return (
        f"cannot be run in linear time ({told}); look-around and back-references are not available"
    )


def _spans(program: Any, text: str) -> list[tuple[int, int]]:
    spans = []
    text = _SURROGATES.sub("\ufffd", text)  # RE2 reads UTF-8, in which a lone surrogate has no form
    for match in program.finditer(text):
        groups = [number for number in range(1, len(match.groups()) + 1) if match.group(number)]
        start, end = match.span(groups[0] if groups else 0)
        if end > start:
            spans.append((start, end))
    return spans


_SURROGATES = late("[\ud800-\udfff]")


def _stands(shown: str, plain: str, start: int, end: int) -> bool:
    if end - start != 1 or not plain[start].isalpha():
        return True
    beside = plain[start - 1 : start], plain[end : end + 1]
    if any(re.fullmatch(r"\w", char) for char in beside):
        return False
    return commits(shown, plain, (start, end), patterns("A-Z")) and not denied_before(plain, start)
