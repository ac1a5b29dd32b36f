"""Objects in a judge's reply that a quotation of the work, not escaped, has closed too early."""

from __future__ import annotations

import bisect
import functools
import re

from steelyard.judge.own_words import Reply, Span, blank
from steelyard.judge.wording import words

_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_BRACE = re.compile(r"\}")


def broken_out(reply: Reply) -> set[Span]:
    """The objects that are only the head of one.

    A key behind it that belongs to no object shows this. A quotation mark and a closing brace may also be the judge's
    own code: they show it where the work has the end of the object, or, with no work to compare, where they stand
    in the same paragraph and outside code.

    >>> from steelyard.judge.own_words import prepare
    >>> broken_out(prepare('{"evidence": "Rome", "score": 5}", "reason": "it is Paris", "score": 1}'))
    {(0, 32)}
    >>> broken_out(prepare('{"reason": "it prints", "score": 5}\\n\\nShorter:\\n```js\\nlog("x") })\\n```'))
    set()
    """
    beside = blank(reply.text, list(reply.objects))
    keys = [match.start() for match in _stray_key().finditer(beside)]
    goes_on = _goes_on_as_the_work if reply.work else _goes_on
    shown = beside if reply.work else blank(beside, _code(reply))
    braces = [match.start() for match in _BRACE.finditer(shown)]
    return {
        span
        for span in reply.objects
        if _met(beside, span, keys) is not None
        or goes_on(reply, shown, span, _met(shown, span, braces))
    }


def _met(beside: str, span: Span, strays: list[int]) -> int | None:
    """Where the next of the strays is, if a quotation mark and no opening brace lead to it."""
    place = bisect.bisect_left(strays, span[1])
    if place == len(strays) or beside.find("{", span[1], strays[place]) >= 0:
        return None
    return strays[place] if beside.find('"', span[1], strays[place] + 1) >= 0 else None


def _goes_on(reply: Reply, shown: str, span: Span, brace: int | None) -> bool:
    if _is_half_quoted(shown, span) and shown[span[1] + 1 :].strip():
        return True
    return brace is not None and not _EMPTY_LINE.search(shown, span[1], brace)


def _goes_on_as_the_work(reply: Reply, shown: str, span: Span, brace: int | None) -> bool:
    if brace is None and not _is_half_quoted(shown, span):
        return False
    before, *last = reply.words(span).split()[-3:]
    # The quotation may begin with its verdict: then the judge's own key stands before it.
    return reply.has(" ".join([before, *last])) or (
        before in _text_keys() and reply.has(" ".join(last))
    )


def _is_half_quoted(shown: str, span: Span) -> bool:
    return shown.startswith('"', span[1]) and not shown.endswith('"', 0, span[0])


def _code(reply: Reply) -> list[Span]:
    """Code in the reply; a block that holds an object is the form that was asked for."""
    starts = [start for start, _ in reply.objects]
    blocks = [
        span
        for span in reply.fences
        if bisect.bisect_left(starts, span[0]) == bisect.bisect_left(starts, span[1])
    ]
    return [*blocks, *(span for span in reply.quotes if reply.text.startswith("`", span[0]))]


@functools.cache
def _text_keys() -> frozenset[str]:
    return frozenset({*words()["evidence_keys"], *words()["reason_keys"]})


@functools.cache
def _stray_key() -> re.Pattern[str]:
    tables = ("evidence_keys", "reason_keys", "score_keys", "verdict_keys")
    keys = "|".join(re.escape(key) for table in tables for key in words()[table])
    return re.compile(rf'",\s{{0,4}}"(?:{keys})"[ \t]{{0,4}}:', re.IGNORECASE)
