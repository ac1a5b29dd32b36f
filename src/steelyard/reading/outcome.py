"""The three outcomes of reading: found, unclear and missing."""

from __future__ import annotations

from typing import Any, NamedTuple

from steelyard.reading.found import Found

MARKED = "the value after a mark"
ENCLOSED = "the value inside a key, tag or box"
# How many characters on each side a reason quotes.
_BESIDE = 12


class Reading(NamedTuple):
    """What was read, where, by which rule and mark, and why; only what was found has a span."""

    outcome: str
    reason: str
    value: Any = None
    start: int = 0
    end: int = 0
    rule: str = ""
    mark: str = ""

    @property
    def span(self) -> tuple[int, int] | None:
        """Where the value stands in the response."""
        return (self.start, self.end) if self.outcome == "found" else None


def found(value: Any, start: int, end: int, rule: str, mark: str = "") -> Reading:
    """Return a value of the requested kind, with the rule and the mark that found it.

    >>> found("B", 8, 9, MARKED, "Answer:").reason, found("B", 0, 1, "the last line").reason
    ('found after "Answer:"', 'the last line')
    """
    reason = f'found after "{mark}"' if mark else rule
    if mark and rule not in {MARKED, ENCLOSED}:
        reason += f", {rule}"
    return Reading("found", reason, value, start, end, rule, mark)


def unclear(reason: str) -> Reading:
    """Return the outcome of a text that has an answer but does not commit to one.

    >>> unclear("several numbers: 41 or 42").outcome
    'unclear'
    """
    return Reading("unclear", reason)


def missing(reason: str) -> Reading:
    """Return the outcome of a text that has nothing of the requested kind.

    >>> missing("no number").span is None
    True
    """
    return Reading("missing", reason)


def as_found(text: str, reading: Reading) -> Found | None:
    """Return what an extractor returns: the value as it is written, or None."""
    if reading.span is None:
        return None
    return Found(text[reading.start : reading.end], reading.span, reading.rule)


def excerpt(text: str, start: int, end: int) -> str:
    """Quote a part of a text with the whole words beside it, on one line.

    >>> excerpt("So the answer is 41 or 42, I think.", 17, 19)
    'answer is 41 or 42, I'
    """
    left, right = text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE]
    if start > _BESIDE:
        left = left.partition(" ")[2]
    if end + _BESIDE < len(text):
        right = right.rpartition(" ")[0]
    return " ".join(f"{left}{text[start:end]}{right}".split())
