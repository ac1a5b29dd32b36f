"""Cut text that is not the answer, by blanking it, so that spans stay valid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from steelyard.reading.marks import TABLE, alternatives, lower
from steelyard.reading.outcome import Reading
from steelyard.values.normal import HIDDEN, is_blank

# <think>, </think>
_TAG = re.compile(rf"<(/?)(?:{alternatives('reasoning')})>", re.I)
# <|channel|>final<|message|>
_CHANNEL = "<|channel|>"
_FINAL = re.compile(r"<\|channel\|>\s*final\s*(?:<\|message\|>)?")
_END = re.compile(alternatives("end"))
_FIRST_SIGNS = tuple({"<", *(token[0] for token in TABLE["end"])})
# A line such as "Question:", "**Problem 2:**", "Q:"
_NEW_TASK = re.compile(
    rf"\n[#*>_ \t]{{0,6}}(?:{alternatives('task')})[ \t]{{0,4}}\d{{0,6}}[*_ \t]{{0,6}}[:：]"
)
# A bound for hostile texts; the first new task follows the answer.
_MOST_TASKS = 8
_HIDDEN = re.compile(f"[{HIDDEN}]")
# Full-width letters, digits and signs.
_WIDE_OR_HIDDEN = re.compile(f"[\uff01-\uff5e{HIDDEN}]")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


class Cut(NamedTuple):
    """A part of a response that is not read: where it starts and ends, and why."""

    start: int
    end: int
    why: str


class VisibleText(NamedTuple):
    """A response as the rules read it: without cuts and hidden characters, and with narrow forms.

    ``low`` is the same text in lower case; ``places`` has the place of each character in the
    response, where characters were left out.
    """

    text: str
    low: str
    places: list[int] | None

    def original(self, reading: Reading) -> Reading:
        """Move the span of a reading to where its value stands in the response."""
        if self.places is None or reading.outcome != "found":
            return reading
        start, end = reading.start, reading.end
        if end == start:
            return reading._replace(start=0, end=0)
        return reading._replace(start=self.places[start], end=self.places[end - 1] + 1)


def visible_text(response: str) -> VisibleText:
    r"""Cut a response, and leave out characters such as U+200B and a byte-order mark.

    >>> visible_text("\ufeff4\u200b2<eoa>").text.strip()
    '42'
    """
    text = cut(response)
    if text.isascii() or not _WIDE_OR_HIDDEN.search(text):
        return VisibleText(text, lower(text), None)
    text = text.translate(_NARROW)
    if not _HIDDEN.search(text):
        return VisibleText(text, lower(text), None)
    places = [place for place, char in enumerate(text) if char not in HIDDEN]
    text = _HIDDEN.sub("", text)
    return VisibleText(text, lower(text), places)


def cut(text: str) -> str:
    """Blank reasoning, and everything after the first end token that follows some content.

    >>> cut("<think>A or B?</think>B <eoa> C").strip()
    'B'
    """
    return blanked(text, cuts(text)) if has_cuts(text) else text


def has_cuts(text: str) -> bool:
    """Say whether a text has a sign that starts a tag or an end token."""
    return any(map(text.__contains__, _FIRST_SIGNS))


def cuts(text: str) -> list[Cut]:
    """Return the parts of a response that are not read.

    >>> cuts("<think>A?</think>B <eoa> C")
    [Cut(start=0, end=17, why='reasoning'), Cut(start=19, end=26, why='end token')]
    """
    if not has_cuts(text):
        return []
    found = reasoning(text)
    text, start = blanked(text, found), 0
    for end in _END.finditer(text):
        if not is_blank(text[start : end.start()]):
            found.append(Cut(end.start(), len(text), "end token"))
            break
        found.append(Cut(end.start(), end.end(), "end token"))
        start = end.end()
    return sorted(found)


def blanked(text: str, parts: Iterable[Cut]) -> str:
    r"""Replace parts of a text by spaces; line ends stay.

    >>> blanked("ab\ncd", [Cut(1, 4, "")])
    'a \n d'
    """
    pieces, place = [], 0
    for part in parts:
        inside = text[max(place, part.start) : part.end]
        lines = inside.split("\n") if "\n" in inside else [inside]
        pieces += [text[place : part.start], "\n".join(" " * len(line) for line in lines)]
        place = max(place, part.end)
    return "".join([*pieces, text[place:]]) if pieces else text


def reasoning(text: str) -> list[Cut]:
    """Find tagged reasoning, an unclosed tag to the end, and text before a lone closing tag.

    Of a text in channels only the last final one is left; without one, everything is reasoning.

    >>> reasoning("A?</think>B")
    [Cut(start=0, end=10, why='reasoning')]
    """
    found: list[Cut] = []
    if _CHANNEL in text:
        finals = list(_FINAL.finditer(text))
        found = [Cut(0, finals[-1].end() if finals else len(text), "reasoning")]
        text = blanked(text, found)
    opened, place = None, 0
    for tag in _TAG.finditer(text):
        if tag[1]:
            found.append(Cut(place, tag.end(), "reasoning"))
            opened, place = None, tag.end()
        elif opened is None:
            opened = place = tag.start()
    return found if opened is None else [*found, Cut(place, len(text), "reasoning")]


def new_tasks(low: str) -> Iterator[int]:
    r"""Yield where lines start a new task after some content, for the first few such lines.

    >>> list(new_tasks("b\nquestion: what next?"))
    [1]
    """
    for task in islice(_NEW_TASK.finditer(low), _MOST_TASKS):
        if low[: task.start()].strip():
            yield task.start()
