r"""The line that gives the answer: after the last "Answer:", else in \boxed{}, else the last line."""

from __future__ import annotations

from steelyard.extract import markers
from steelyard.extract.found import Found, Trace
from steelyard.registry import EXTRACTORS
from steelyard.text.visible import visible
from steelyard.text.wrap import Span, closing_brace, unwrap


@EXTRACTORS.register("answer")
def find_answer(text: str, *, trace: Trace | None = None) -> Found | None:
    r"""The text of the answer without its wrappers, with its verbatim place.

    >>> find_answer("Step 1: ...\nAnswer: **42**.")
    Found(value='42', span=(22, 24), stage='answer line')
    """
    shown = visible(text)
    found = _after_colon(shown) or _boxed(shown) or _last_line(shown)
    if trace is not None:
        note = f"{found.value!r} by {found.stage}" if found else "no line holds anything"
        trace.add("answer", note, found.span if found else None)
    return found


def after_last_colon(shown: str) -> Span | None:
    """The line, without wrappers, that the last "Answer:" with anything after it stands for."""
    if "nswer" not in shown and "NSWER" not in shown:
        return None
    for mark in reversed(list(markers.COLON.finditer(shown))):
        for start, end in _lines(shown, mark.end()):
            start, end = unwrap(shown, (start, end))
            if start < end:
                return (start, end)
    return None


def _after_colon(shown: str) -> Found | None:
    span = after_last_colon(shown)
    return Found(shown[span[0] : span[1]], span, "answer line") if span else None


def _boxed(shown: str) -> Found | None:
    if "\\" not in shown:
        return None
    for mark in reversed(list(markers.BOXED.finditer(shown))[-5:]):
        end = closing_brace(shown, mark.end())
        if end is not None:
            start, end = unwrap(shown, (mark.end(), end))
            if start < end:
                return Found(shown[start:end], (start, end), "boxed")
    return None


def _last_line(shown: str) -> Found | None:
    end = len(shown)
    while end > 0:
        start = shown.rfind("\n", 0, end) + 1
        inner = unwrap(shown, (start, end))
        if inner[0] < inner[1] and shown[inner[0] : inner[1]].strip("`~*_-# "):
            return _said(shown, inner) or Found(shown[inner[0] : inner[1]], inner, "last line")
        end = start - 1
    return None


def _said(shown: str, line: Span) -> Found | None:
    """What follows "the answer is" in the last line."""
    for mark in reversed(list(markers.ANY.finditer(shown, *line))):
        start, end = unwrap(shown, (mark.end(), line[1]))
        if start < end and not markers.taken_back(shown, mark.start()):
            return Found(shown[start:end], (start, end), "answer is")
    return None


def _lines(text: str, start: int) -> list[Span]:
    """The rest of the line at ``start``, and the next one that is not blank."""
    spans: list[Span] = []
    while start <= len(text) and len(spans) < 2:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if not spans or text[start:end].strip():
            spans.append((start, end))
        start = end + 1
    return spans
