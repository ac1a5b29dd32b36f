"""A place in a text, shown on a terminal: the line it stands in, underlined, in bounded space."""

from __future__ import annotations

import unicodedata

from steelyard.report.terminal import printable

MARGIN = 40  # characters shown on either side of the place
LINES = 4  # lines shown of a place that has more


def width(text: str) -> int:
    """How many columns the text takes on a terminal.

    >>> width("答え"), width("e\\u0301")
    (4, 1)
    """
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def underlined(text: str, span: tuple[int, int]) -> list[str]:
    """Pairs of lines: what stands at the span with its surroundings, and the mark under it.

    >>> print("\\n".join(underlined("It is 42.", (6, 8))))
    It is 42.
          ^^
    """
    start, end = max(0, min(span[0], len(text))), max(0, min(span[1], len(text)))
    shown: list[str] = []
    at = start
    for _ in range(LINES):
        line_start, line_end = text.rfind("\n", 0, at) + 1, _line_end(text, at)
        shown += _marked(text, (line_start, line_end), (at, min(end, line_end)))
        at = line_end + 1
        if at >= end:
            return shown
    return [*shown, f"… and {end - at} more characters"]


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _marked(text: str, line: tuple[int, int], place: tuple[int, int]) -> list[str]:
    left, right = max(line[0], place[0] - MARGIN), min(line[1], place[1] + MARGIN)
    before = ("…" if left > line[0] else "") + printable(text[left : place[0]])
    inside = printable(_shortened(text[place[0] : place[1]]))
    after = printable(text[place[1] : right]).rstrip() + ("…" if right < line[1] else "")
    return [before + inside + after, " " * width(before) + "^" * max(1, width(inside))]


def _shortened(text: str) -> str:
    return text if len(text) <= 2 * MARGIN else f"{text[:MARGIN]} … {text[-MARGIN:]}"


def brief(text: str, limit: int = 200) -> str:
    """The text on one line, cut where it is long, with its length.

    >>> brief("one\\ntwo"), brief("x" * 300, 5)
    ('one␊two', 'xxxxx… (300 characters)')
    """
    if len(text) <= limit:
        return printable(text)
    return f"{printable(text[:limit])}… ({len(text)} characters)"
