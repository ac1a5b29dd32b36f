"""Long texts for a page: their beginning and their end, and what was read out of them wherever it stands.

A cut text is a list: a string is shown as it is, a list of one string is marked, a number is how many characters are left out.
"""

from __future__ import annotations

from typing import Any

import msgspec

MOST_CHARACTERS = 30_000_000
LEAST, MOST = 600, 20_000
LEAST_BESIDE = 200


class Room(msgspec.Struct, frozen=True):
    """How many characters of an answer are kept, and of each text beside it."""

    answer: int
    beside: int


def room(samples: int) -> Room:
    """The more samples there are, the less is kept of each; an answer of 600 characters is never cut.

    >>> room(100), room(50_000)
    (Room(answer=20000, beside=6666), Room(answer=600, beside=200))
    """
    answer = max(LEAST, min(MOST, MOST_CHARACTERS // max(samples, 1)))
    return Room(answer, max(LEAST_BESIDE, answer // 3))


def cut(text: str, most: int, span: tuple[int, int] | None = None) -> Any:
    """The text itself where it is short and nothing in it is marked, else its pieces.

    >>> cut("the answer is B", 100, (14, 15))
    ['the answer is ', ['B']]
    >>> cut("x" * 50, 10)
    ['xxxxx', 40, 'xxxxx']
    """
    marked = span if span is not None and 0 <= span[0] < span[1] <= len(text) else None
    if len(text) <= most and marked is None:
        return text
    pieces: list[Any] = []
    at = 0
    for start, end in _kept(len(text), most, marked):
        if start > at:
            pieces.append(start - at)
        pieces += _marked(text, start, end, marked)
        at = end
    return [*pieces, len(text) - at] if at < len(text) else pieces


def _kept(length: int, most: int, marked: tuple[int, int] | None) -> list[tuple[int, int]]:
    """The stretches that are kept: both ends, or the beginning and what lies about the mark."""
    if length <= most:
        return [(0, length)]
    head = most // 2
    tail = most - head
    start = length - tail
    if (
        marked is not None and head < marked[1] and marked[0] < start
    ):  # the mark is not wholly at either end
        start = max(head, min(start, (marked[0] + marked[1] - tail) // 2))
    return [(0, start + tail)] if start <= head else [(0, head), (start, start + tail)]


def _marked(text: str, start: int, end: int, marked: tuple[int, int] | None) -> list[Any]:
    if marked is None or marked[1] <= start or marked[0] >= end:
        return [text[start:end]] if end > start else []
    first, last = max(marked[0], start), min(marked[1], end)
    pieces: list[Any] = [text[start:first], [text[first:last]], text[last:end]]
    return [piece for piece in pieces if piece]
