"""The rules of reading, in order.

1. cut and 2. marks are in modules of those names; a kind (letters, numbers, lines) knows
3. which value follows a mark, 4. whether it is one of several, and 7. what to read without a
mark. 5. denied and 6. corrected are here. 8. compare is the scorer's.
"""

from __future__ import annotations

import re
from typing import Protocol

from steelyard.reading.cuts import Cut, VisibleText, cuts, new_tasks, visible_text
from steelyard.reading.found import Trace
from steelyard.reading.marks import TABLE, Mark, alternatives, is_denied, last_marks, mark_name
from steelyard.reading.outcome import Reading, missing, unclear
from steelyard.values.quantities import UNITS

# Without a value of the kind right after them, these are not marks.
_WEAK = frozenset({"phrase", "hash"})
# The value of a JSON key: a string, also in Python's quotes, or up to the next comma.
_STRING = re.compile(r""""(?P<json>(?:[^"\\]|\\.)*)"|'(?P<python>[^'\\\n]*)'(?=\s*[,}])""")
_PLAIN = re.compile(r"[^,}\n]*")
# Between a mark and its value: spaces, empty lines, bold, an ellipsis, the line of a fence.
_BLANK = re.compile(r"(?:[\s*_…]|\.{2,}|(?:```|~~~)\w*\n)*")
_SENTENCE_END = re.compile(r"(?<!\bSt)(?<!\bMr)(?<!\bDr)[.!?](?=\s|\Z)|[。！？]")
_BRACES = re.compile(r"[{}]")
# A bracket of JSON, or a string, whose brackets do not count.
_BRACKETS = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"')
_NOT = re.compile(r"(?:[\s*_$]|\\text\{)*not\b")
# A unit between a number after "####" and the end of its line.
_UNIT = re.compile(rf"(?:{UNITS})[²³]?")
# Right after the value: "B is wrong", "B?"
_DENIED_AFTER = re.compile(r"[)\]}*_$\"'”]*(?: is (?:wrong|not|incorrect)\b| isn't\b|[?？])")
# A sentence that starts with "Wait," or the like.
_CORRECTION = re.compile(
    rf"[.!?。！？\n][\"'*_\s]{{0,6}}(?:{alternatives('correction')})\b[,:\s]{{0,6}}"
)


class Kind(Protocol):
    """What a scorer needs: a letter, a number or text."""

    @property
    def name(self) -> str:
        """The word for a value of this kind: letter, number, text."""

    def read_after(self, text: str, mark: Mark, start: int, end: int) -> Reading | None:
        """Read the value right after a mark."""

    def read_alone(self, text: str, low: str) -> Reading:
        """Read the value of a text without a mark."""


def read(response: str, kind: Kind, trace: Trace | None = None) -> Reading:
    r"""Read the answer of a response by the rules.

    >>> from steelyard.reading.letters import letters_kind
    >>> read("The answer is A.\nAnswer: B", letters_kind("A-D")).value
    'B'
    """
    visible = visible_text(response)
    text, low = visible.text, visible.low
    reading, end = read_marked(text, low, kind)
    if reading is None:
        reading = _corrected(text, low, len(text), kind, kind.read_alone(text, low))
    reading = visible.original(reading)
    if trace is not None:
        note_cuts(trace, response, visible, end)
        trace.add(kind.name, f"{reading.outcome}: {reading.reason}", reading.span)
    return reading


def note_cuts(trace: Trace, response: str, visible: VisibleText, end: int) -> None:
    """Add the parts of a response that are not read to a trace; a new task starts at ``end``."""
    parts = cuts(response)
    if end < len(visible.text):
        start = end if visible.places is None else visible.places[end]
        parts.append(Cut(start, len(response), "a new task"))
    for part in parts:
        trace.add("cut", part.why, (part.start, part.end))


def read_marked(text: str, low: str, kind: Kind) -> tuple[Reading | None, int]:
    """Read after the last mark before a new task; also return where the answer's part ends."""
    for end in new_tasks(low):
        reading = read_marks(text, low, end, kind)
        if reading is not None and reading.outcome == "found":
            return reading, end
    return read_marks(text, low, len(text), kind), len(text)


def read_marks(text: str, low: str, end: int, kind: Kind) -> Reading | None:
    """Read after the last mark that counts; None where there is no mark."""
    denied = False
    for mark in last_marks(low, end):
        start, stop = region(text, mark)
        if _is_negated(text, low, mark, kind, start, stop):
            denied = True
            continue
        reading = kind.read_after(text, mark, start, stop)
        if reading is None:
            if mark.kind in _WEAK:
                continue
            return missing(f'no {kind.name} after "{mark_name(text, mark)}"')
        if mark.kind == "hash" and not _ends_line(text, end, kind, reading):
            continue
        if is_denied(low, mark) or _is_denied_after(low, reading):
            denied = True
            continue
        return _corrected(text, low, end, kind, reading)
    return unclear("the answer is denied") if denied else None


def _is_negated(text: str, low: str, mark: Mark, kind: Kind, start: int, stop: int) -> bool:
    """Say whether "not" stands between a mark and its value.

    Text that starts with "not" is denied only after the phrase: "Answer: not enough data".
    """
    negator = _NOT.match(low, start, stop)
    if negator is None:
        return False
    if kind.name == "text":
        return mark.kind == "phrase"
    return kind.read_after(text, mark, negator.end(), stop) is not None


def _is_denied_after(low: str, reading: Reading) -> bool:
    """Say whether "is wrong" or a question mark stands right after a value."""
    end = reading.end
    return reading.outcome == "found" and bool(_DENIED_AFTER.match(low, end, end + 40))


def _ends_line(text: str, end: int, kind: Kind, reading: Reading) -> bool:
    """Say whether the value after "####" ends its line, and for text the whole response."""
    if kind.name == "text":
        return not text[reading.end : end].strip(" \t\r\n*_`.$)]}\"'")
    if reading.outcome != "found":
        return True
    line = text.find("\n", reading.end, reading.end + 40)
    rest = text[reading.end : line if line >= 0 else reading.end + 40]
    rest = rest.strip(" \t\r*_`$.")
    return not any(map(str.isalnum, rest)) or bool(_UNIT.fullmatch(rest))


def _corrected(text: str, low: str, end: int, kind: Kind, reading: Reading) -> Reading:
    """Apply a later correction: "Wait, B." replaces the value, "Wait." makes it unclear."""
    if reading.outcome != "found" or kind.name == "text":
        return reading
    tail = low[reading.end : end]
    if not any(map(tail.__contains__, TABLE["correction"])):
        return reading
    corrections = list(_CORRECTION.finditer(tail))
    if not corrections:
        return reading
    start, place = corrections[-1].span()
    mark = Mark("phrase", reading.end + start, reading.end + place, end)
    new = kind.read_after(text, mark, *region(text, mark))
    if new and _is_denied_after(low, new):
        return unclear("the answer is corrected, and the new one is denied")
    return new or unclear("the answer is corrected, and no new one is given")


def region(text: str, mark: Mark) -> tuple[int, int]:
    """Return where the value of a mark starts and ends: its string, tag, box, line or sentence.

    It ends before the next mark, so that reading many marks takes linear time.

    >>> region('{"answer": "42"}', Mark("key", 1, 11, 16))
    (12, 14)
    """
    start, limit = mark.value, mark.limit
    if mark.kind == "key":
        if string := _STRING.match(text, start, limit):
            return string.span(string.lastgroup or 0)
        if text.startswith(("[", "{"), start):
            return start, _closing_bracket(text, start, limit)
        plain = _PLAIN.match(text, start, limit)
        return start, plain.end() if plain else limit
    if mark.kind == "tag":
        close = text.find("</", start, limit)
        if close < 0:
            close = text.find("\n", start, limit)
        return start, close if close >= 0 else limit
    if mark.kind == "box":
        return start, _closing_brace(text, start, limit)
    blank = _BLANK.match(text, start, limit)
    start = blank.end() if blank else start
    line = text.find("\n", start, limit)
    end = line if line >= 0 else limit
    close = text.find("</answer", start, end)
    end = close if close >= 0 else end
    if mark.kind == "phrase" and (sentence := _SENTENCE_END.search(text, start, end)):
        end = sentence.start()
    return start, end


def _closing_bracket(text: str, start: int, limit: int) -> int:
    """Return where the JSON array or object at a place ends, or the end of its line."""
    depth = 0
    for token in _BRACKETS.finditer(text, start, limit):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth == 0:
            return token.end()
    line = text.find("\n", start, limit)
    return line if line >= 0 else limit


def _closing_brace(text: str, start: int, limit: int) -> int:
    """Return the place of the brace that closes a box, or the end of its line."""
    depth = 1
    for brace in _BRACES.finditer(text, start, limit):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    line = text.find("\n", start, limit)
    return line if line >= 0 else limit
