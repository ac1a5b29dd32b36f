r"""The line that gives the answer: after the last "Answer:", else in \boxed{}, else the last line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from steelyard.extract import markers
from steelyard.extract.aside import without_aside
from steelyard.extract.asserted import is_conditional, is_key
from steelyard.extract.box import is_denied_box
from steelyard.extract.found import Found, Trace
from steelyard.extract.reason import bold_head, without_reason
from steelyard.extract.remark import SECOND_THOUGHT, before_remark
from steelyard.extract.retraction import without_retracted
from steelyard.registry import EXTRACTORS
from steelyard.text.claim.denial import taken_back
from steelyard.text.correction.settled import settled
from steelyard.text.late import late
from steelyard.text.wrap import Span, closing_brace, unwrap

_NOTHING = "`~*_-# "
#: What opens a block of which the lines below are the content, and what closes it.
_BLOCKS = {"\\[": "\\]", "$$": "$$"}
_NO_LINES = frozenset(("\\]", "\\[", "$$", "Answer:", "Final answer:"))
_FENCE = late(r"```[\w+#.-]{0,20}")
_DASH = re.compile(r"[ \t](?:[–—]|--?)[ \t]")
_ALTERNATIVES = late(r"\b(?:or|not|nor|and|never|either|neither)\b|n['’]t\b", re.IGNORECASE)
_LABEL = late(
    r"[*_]{0,3}(?:A|Ans|ANS|ans|(?i:respuesta|réponse|antwort|resposta|risposta|ответ|odpowiedź|antwoord)(?:[ ][^\W\d]{1,12})?"
    r"|(?:最终|正确|最終)?(?:答案|答え|回答|答)|정답|답)[*_]{0,3}[ ]?[:：][ \t*_]*"
)
# No quotation mark before it, no stop, bold or LaTeX in it, and a letter or a digit at both ends.
_PLAIN_LINE = late(
    r"[Aa](?<![A-Za-z][Aa])(?:nswer|NSWER)s?[ \t*_]{0,6}[:：][ \t*_]{0,6}"
    r"([^\W_][^\n\\*!.]*+(?:\.(?!\s|\Z)[^\n\\*!.]*+)*+)(?<=[^\W_])\.?(?:\n|\Z)"
)
_ITEM, _NEXT_ITEM = re.compile(r"[ \t]*1[.)][ \t]+(?=\S)"), re.compile(r"\s+2[.)]\s")
_LEAD = late(r"[^\d()\[\]{}\\.\n]{0,40}")


@EXTRACTORS.register("answer")
def find_answer(text: str, *, trace: Trace | None = None) -> Found | None:
    r"""The text of the answer without its wrappers, with its verbatim place.

    >>> find_answer("Step 1: ...\nAnswer: **42**.")
    Found(value='42', span=(22, 24), stage='answer line')
    """
    return next(readings(text, trace=trace), None)


def readings(text: str, *, trace: Trace | None = None) -> Iterator[Found]:
    r"""The answer, the whole of the line that it was read from, if that is more, and what a parenthesis there explains.

    >>> [found.value for found in readings("Answer: Therefore, \\boxed{42}")]
    ['42', 'Therefore, \\boxed{42}']
    """
    shown = settled(text)
    plain = _plain_line(shown) if trace is None else None
    if (
        plain is not None
        and text[slice(*plain.span)] == plain.value
        and without_retracted(shown, plain.span[1]) is shown
    ):
        return iter((plain,))
    return _readings(text, shown, trace)


def _readings(text: str, shown: str, trace: Trace | None) -> Iterator[Found]:
    shown = without_retracted(shown)
    line = _after_colon(shown) or _boxed(shown) or _last_line(shown)
    said = _without_remarks(shown, _narrowed(shown, line)) if line else []
    found = _verbatim(text, shown, said[0]) if said else None
    if trace is not None:
        note = f"{found.value!r} by {found.stage}" if found else "no line holds anything"
        trace.add("answer", note, found.span if found else None)
    if line is None or found is None:
        return
    yield found
    for more in (*said[1:], line):
        if more.span != found.span and (more is line or more.span != line.span):
            yield _verbatim(text, shown, more)
    if ("(" in found.value or "[" in found.value) and (inner := without_aside(shown, found.span)):
        yield _verbatim(text, shown, Found(shown[inner[0] : inner[1]], inner, found.stage))


def _plain_line(shown: str) -> Found | None:
    """What the last "Answer:" stands for, where it fills the rest of its line and nothing wraps or follows it there."""
    at = max(shown.rfind("nswer"), shown.rfind("NSWER")) - 1
    mark = _PLAIN_LINE.match(shown, at) if at >= 0 else None
    if (
        mark is None
        or "<" in shown
        or "because" in mark[1]
        or "since" in mark[1]
        or " not " in mark[1]
        or _DASH.search(mark[1])
    ):
        return None
    if _taken_back(shown, at):
        return None
    return Found(mark[1], mark.span(1), "answer line")


def after_last_colon(shown: str) -> Span | None:
    """The line, without wrappers, that the last "Answer:" with anything after it stands for."""
    if "nswer" not in shown and "NSWER" not in shown:
        return None
    for mark in markers.colons(shown):
        if _taken_back(shown, mark.start()):
            continue
        for start, end in _lines(shown, _begin(shown, mark.end())):
            start, end = unwrap(shown, (_after_number(shown, start, end), end))
            if start < end:
                return (start, end)
    return None


def _after_number(shown: str, start: int, end: int) -> int:
    """Where the one item of a numbered list begins: its "1." is no answer."""
    item = _ITEM.match(shown, start, end) if shown[start - 1 : start] == "\n" else None
    return item.end() if item and not _NEXT_ITEM.match(shown, end) else start


def _begin(shown: str, start: int) -> int:
    """Where the answer begins: with the quotation mark or the star that the mark's pattern ran over, if it is a pair."""
    quote = shown[start - 1]
    if quote not in "\"'*" or (quote == "*" and shown[start - 2] != " "):
        return start
    stop = shown.find("\n", start)
    return start - 1 if shown.find(quote, start, stop if stop >= 0 else len(shown)) >= 0 else start


def _after_colon(shown: str) -> Found | None:
    span = after_last_colon(shown)
    return Found(shown[span[0] : span[1]], span, "answer line") if span else None


def _boxed(shown: str) -> Found | None:
    if "\\" not in shown:
        return None
    for mark in reversed(list(markers.BOXED.finditer(shown))[-5:]):
        end = closing_brace(shown, mark.end())
        if end is not None and markers.is_one_of_boxes(shown, mark.start()):
            return None
        if end is not None and not _is_refused(shown, mark.start(), end):
            start, end = unwrap(shown, (mark.end(), end))
            if start < end:
                return Found(shown[start:end], (start, end), "boxed")
    return None


def _last_line(shown: str) -> Found | None:
    end = len(shown)
    while end > 0:
        start = shown.rfind("\n", 0, end) + 1
        inner = unwrap(shown, (start, end))
        line = shown[inner[0] : inner[1]]
        if line.strip(_NOTHING) and line not in _NO_LINES:
            return Found(line, inner, "last line")
        end = start - 1
    return None


def _narrowed(shown: str, line: Found) -> Found:
    """The answer inside its line: after "the answer is", in a box, without the reason that follows."""
    found = _said(shown, line) or _labelled(shown, line) or line
    found = _box_in(shown, found) or found
    if "**" in found.value:
        found = bold_head(shown, found) or found
    if "because" in found.value or "since" in found.value:
        found = without_reason(shown, found) or found
    return found


def _without_remarks(shown: str, said: Found) -> list[Found]:
    """What is said, and before it what is left without the sentence or the apposition with which it goes on."""
    found = [said]
    for _ in range(2):  # both may stand there
        span = before_remark(shown, found[0].span, may_count=said.stage == "last line")
        if span is None:
            break
        found.insert(0, Found(shown[span[0] : span[1]], span, said.stage))
    return found


def _said(shown: str, line: Found) -> Found | None:
    """What follows "the answer is" in a line; after "Answer:" only where the line begins with it."""
    start, stop = line.span
    if line.stage == "boxed" or ("nswer" not in line.value and "NSWER" not in line.value):
        return None
    for mark in reversed(_marks_in(shown, start, stop)):
        if line.stage == "answer line" and not _LEAD.fullmatch(shown, start, mark.start()):
            continue
        inner = unwrap(shown, (mark.end(), stop))
        if is_conditional(shown, mark.start()):
            return None
        if inner[0] < inner[1] and not _taken_back(shown, mark.start()):
            return Found(shown[inner[0] : inner[1]], inner, "answer is")
    return None


def _marks_in(shown: str, start: int, stop: int) -> list[re.Match[str]]:
    """The marks of the answer there; nearly all have the word in small letters, and are looked for only where it stands."""
    if "NSWER" in shown or "<" in shown:
        return list(markers.ANY.finditer(shown, start, stop))
    found: list[re.Match[str]] = []
    at = shown.find("nswer", start + 1, stop)
    while at > 0:
        mark = markers.ANY.match(shown, at - 1, stop)
        if mark:
            found.append(mark)
        at = shown.find("nswer", mark.end() + 1 if mark else at + 1, stop)
    return found


def _labelled(shown: str, line: Found) -> Found | None:
    """What follows the short form of "Answer:" in a last line: "A: Paris"."""
    label = _LABEL.match(line.value) if line.stage == "last line" else None
    if label is None:
        return None
    start, end = unwrap(shown, (line.span[0] + label.end(), line.span[1]))
    return Found(shown[start:end], (start, end), line.stage) if start < end else None


def _box_in(shown: str, line: Found) -> Found | None:
    r"""The content of the one \boxed{} in a line, unless the line says something else with it."""
    if (
        "\\" not in line.value
        or len(boxes := list(markers.BOXED.finditer(shown, *line.span))[:2]) != 1
    ):
        return None
    (start, stop), box = line.span, boxes[0]
    end = closing_brace(shown, box.end())
    if end is None or end >= stop:
        return None
    before, after = shown[start : box.start()].rstrip(" $"), shown[end + 1 : stop].lstrip(" $")
    if before[-1:] in set("+-*/^_0123456789") or after[:1] in set("+-*/^_=0123456789"):
        return None
    if (
        _ALTERNATIVES.search(before)
        or SECOND_THOUGHT.search(after)
        or _is_refused(shown, box.start(), end)
    ):
        return None
    start, end = unwrap(shown, (box.end(), end))
    return Found(shown[start:end], (start, end), line.stage) if start < end else None


def _is_refused(shown: str, start: int, close: int) -> bool:
    """Whether the box there is taken back by the words before it, or denied."""
    return _taken_back(shown, start) or is_denied_box(shown, start, close)


def _taken_back(shown: str, start: int) -> bool:
    # At the beginning of a line nothing stands before the mark, and most marks stand there.
    return (
        start > 0
        and shown[start - 1] != "\n"
        and (taken_back(shown, start) or is_key(shown, start))
    )


def _verbatim(text: str, shown: str, found: Found) -> Found:
    """The same, where reasoning was blanked inside it: what stands after that, or else before.

    Where words were put in the place of others, two marks were joined: all of it stays, and is no single answer.
    """
    start, end = found.span
    if text[start:end] == found.value:
        return found
    hidden = [at for at in range(start, end) if text[at] != shown[at]]
    if any(not shown[at].isspace() for at in hidden):
        return Found(text[start:end], found.span, found.stage)
    for part in ((hidden[-1] + 1, end), (start, hidden[0])):
        first, last = unwrap(shown, part)
        if first < last:
            return Found(text[first:last], (first, last), found.stage)
    return found


def _lines(text: str, start: int) -> Iterator[Span]:
    """The rest of the line at ``start``, and the next one that is not blank; a block as a whole."""
    given = 0
    while start <= len(text) and given < 2:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if not given or text[start:end].strip():
            yield _block(text, start, end) or (start, end)
            given += 1
        start = end + 1


def _block(text: str, start: int, end: int) -> Span | None:
    """The content of a code fence or of display mathematics that begins with this line."""
    line = text[start : min(end, start + 200)].strip()
    closing = "```" if _FENCE.fullmatch(line) else _BLOCKS.get(line)
    if closing is None:
        return None
    close = text.find(closing, end)
    return (end, len(text) if close < 0 else close)
