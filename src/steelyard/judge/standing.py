"""Where a verdict stands in a reply: alone, inside a sentence, or in somebody else's mouth.

A judge that is asked for a verdict puts it where it cannot be missed. One that it only mentions (what the work claims,
what would have been, what the scale means) stands inside a sentence, or under words that say whose it is.
"""

from __future__ import annotations

import enum
import functools
import re
from typing import NamedTuple

from steelyard.judge.own_words import Reply, Span
from steelyard.judge.wording import words

_SENTENCE_END = re.compile(r"[.!?。！？][\"')\]*_]{0,4}(?=\s|\Z)|[。！？\n]")
_WORD = re.compile(r"[^\W\d_][\w']*")
_NUMBER = re.compile(r"\d")
_BULLET = re.compile(r"[ \t]{0,8}(?:[-*•+]|\d{1,2}[.)])[ \t]")
_HEADING = re.compile(r"[ \t]{0,3}(?:#{1,6}[ \t]|\*\*[^*\n]{1,80}\*\*[ \t]*\Z)")
_QUOTED_LINE = re.compile(r"""[ \t*_]*(["']).*\1[ \t*_.]*\Z""")
_COLONS = (":", "：")
_LONGEST_LEAD = 300
_PARAGRAPH = 8


class Rank(enum.IntEnum):
    """How plainly a verdict is put: the plainest there is decides."""

    OBJECT = 0  # the form that was asked for, with nothing but an introduction before it
    ALONE = 1  # a line or a sentence of its own
    INLINE = 2  # in the middle of a sentence
    BARE = 3  # a value without a word, at the very end


class Context(NamedTuple):
    """The words around a verdict: of its sentence before and after it, and those that introduce its line."""

    before: str
    after: str
    lead: str
    paragraph: str = ""


def context(reply: Reply, span: Span) -> Context:
    """What stands around a stretch of the reply; other values and quotations are not words of it."""
    text = reply.prose
    start = max(
        (cut.end() for cut in _SENTENCE_END.finditer(text, max(0, span[0] - 1000), span[0])),
        default=-1,
    )
    start = max(start, 0 if span[0] <= 1000 else span[0] - 1000)
    cut = _SENTENCE_END.search(text, span[1], span[1] + 1000)
    after = text[span[1] : cut.start() if cut else span[1] + 1000]
    return Context(text[start : span[0]], after, *_leads(text, _opening(reply, span[0])))


def _opening(reply: Reply, place: int) -> int:
    """Where the stretch begins for who introduces it: what stands in a code block begins with the block."""
    return next((start for start, end in reply.fences if start <= place <= end), place)


def _leads(text: str, place: int) -> tuple[str, str]:
    """The line before, and a line further up in the same paragraph that says whose words follow."""
    above = text[
        max(0, text.rfind("\n", 0, place) + 1 - 4000) : text.rfind("\n", 0, place) + 1
    ].split("\n")[:-1]
    filled = [line for line in above if line.strip()]
    if not filled:
        return "", ""
    lead = filled[-1][-_LONGEST_LEAD:]
    listed = bool(_BULLET.match(text[text.rfind("\n", 0, place) + 1 : place + 1]))
    for line in reversed(above[-_PARAGRAPH:]):
        if not line.strip(" \t·.,-*_") or _QUOTED_LINE.match(line):
            break  # the paragraph begins here, or what was reported has been quoted
        if line.rstrip(" \t*_").endswith(_COLONS):
            return lead, line[-_LONGEST_LEAD:]
        if _BULLET.match(line) and not listed:
            break  # a list that has ended
    return lead, ""


def rank_of(around: Context, *, is_object: bool) -> Rank | None:
    """How plainly it is put; None where it is not the judge's own verdict."""
    if _undone(around.after) or _led_by_another(around):
        return None
    if _stands_alone(around.before, introduced=is_object):
        return (
            None
            if is_object and _mentions(around.before)
            else Rank.OBJECT
            if is_object
            else Rank.ALONE
        )
    return None if _mentions(around.before) else Rank.INLINE


def _stands_alone(before: str, *, introduced: bool) -> bool:
    """Whether only openings stand before it in its sentence; an object may be introduced by any words and a colon."""
    if introduced and before.rstrip(" \t*_`").endswith(_COLONS):
        return True
    said = {word.casefold() for word in _WORD.findall(before)}
    return said <= _leaders() and not _NUMBER.search(_BULLET.sub("", before))


@functools.cache
def _leaders() -> frozenset[str]:
    return frozenset({*words()["leaders"], *words()["labels"], *words()["joined_labels"]})


def _mentions(before: str) -> bool:
    """Whether the words before it report, deny or suppose it, or tell of the scale."""
    return (
        _reports(before)
        or has(before, "hypotheses")
        or has(before[-40:], "limits")
        or _denies(before)
    )


def _denies(before: str) -> bool:
    """Whether a denial stands close before it, in the same clause."""
    return has(re.split("[,;:]", before)[-1][-25:], "denials")


def _undone(after: str) -> bool:
    """Whether the words right behind it take it back: ``Score: 5 if it had named the year``."""
    return (
        re.match(
            rf"[\s,;()\[\]{{}}*_\"'`\-–—]{{0,8}}(?:{either('undone')})(?!\w)", after, re.IGNORECASE
        )
        is not None
    )


def _led_by_another(around: Context) -> bool:
    lead = around.lead.rstrip(" \t*_")
    if lead.endswith(_COLONS) or _HEADING.match(around.lead):
        if _reports(lead) or has(lead, "hypotheses") or _is_of_the_work(lead):
            return True
    elif lead[-1:].isalpha() and _reports(
        _last_words(lead)
    ):  # "The candidate wrote", and nothing on that line
        return True
    return bool(around.paragraph) and has(around.paragraph, "speech") and _reports(around.paragraph)


def _last_words(lead: str) -> str:
    return " ".join(_WORD.findall(lead)[-1:])


def _reports(text: str) -> bool:
    """Whether the words are about what somebody else says; what the judge says after them is its own."""
    text = re.sub(either("as_asked"), " ", text, flags=re.IGNORECASE)
    # "Since it contains all the facts, the score is 5" says what the work holds, and then the judge's verdict.
    if has(re.split("[,;]", text)[-1], "contents"):
        return True
    found = list(
        re.finditer(
            rf"(?<!\w)(?:{either('reported')})(?!\w)|(?:{either('possessed')})(?!\w)",
            text,
            re.IGNORECASE,
        )
    )
    if not found:
        return False
    own = has(text[found[-1].end() :], "own")
    return not own or any(has(match[0], "asking") for match in found)


def _is_of_the_work(lead: str) -> bool:
    """``The last line of the answer:``, but not ``My rating of the answer:``."""
    if has(lead, "evaluations"):
        return False
    names = either("work_names")
    pattern = rf"(?<!\w)(?:of|in|from|by)\s+(?:\w+\s+)?(?:{names})\W*\Z|(?:{names})'s(?!\w)"
    return re.search(pattern, lead, re.IGNORECASE) is not None


def is_revised(around: Context) -> bool:
    """Whether it is called the final or the corrected one where it stands."""
    lead = (
        around.lead
        if around.lead.rstrip(" \t*_").endswith(_COLONS) or _HEADING.match(around.lead)
        else ""
    )
    return has(around.before, "revisions") or has(lead, "revisions")


def is_reconsidered(between: str) -> bool:
    """Whether the words between two verdicts take back the first: they begin with ``no`` or ``wait``, or say so."""
    if has(between, "reconsiderations"):
        return True
    pattern = rf"(?:\A|[.!?…\n]|\bor\b|\bso\b)[\s*_\-–—,;]{{0,8}}(?:{either('corrections')})(?!\w)"
    return re.search(pattern, between, re.IGNORECASE) is not None


def has(text: str, table: str) -> bool:
    """Whether one of the table's words stands in the text."""
    return re.search(rf"(?<!\w)(?:{either(table)})(?!\w)", text, re.IGNORECASE) is not None


@functools.cache
def either(table: str) -> str:
    """A pattern for any of the table's words, longer ones first."""
    return "|".join(sorted(map(re.escape, words()[table]), key=len, reverse=True))
