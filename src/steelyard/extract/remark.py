"""The remark with which the line of an answer goes on: "Paris. It is the capital of France.", "Canberra – the capital"."""

from __future__ import annotations

import re

from steelyard.text.grammar import any_of, words
from steelyard.text.late import late
from steelyard.text.number.read import read_number
from steelyard.text.wrap import Span, unwrap, unwrapped

#: What follows the answer in its line counts as a second thought if it holds one of these.
SECOND_THOUGHT = late(
    r"\d|\\|\$|n['’]t\b|\b(?:no|not|or|nor|but|wait|actually|wrong|incorrect|instead|however|sorry|mistake|false"
    r"|unless|correction|hmm|maybe|perhaps|rather)\b",
    re.IGNORECASE,
)
_STOP = late(r"[.!](?P<closed>[*_\"”’)]{0,3})\s+")
# The full stop of an initial or an abbreviation ends a sentence only where another plainly begins.
_ABBREVIATED = late(rf"(?<![^\W_])(?:[^\W\d_]|{any_of('abbreviations')})\Z", re.IGNORECASE)
_OPENS = late(rf"[*_\"“(]{{0,3}}(?:{any_of('begins a remark')})(?![.\w])(?=[^.!?]{{0,40}}[ ][a-z])", re.IGNORECASE)
_BEGINS = late(r"[*_\"“(]{0,3}[^\W_a-z]")
_WORD = late(r"[^\s,;:()]+")
_NO_VERB = frozenset(words("small in names")) | {"and", "or", "in", "on", "at", "to", "for", "with", "by", "vs", "an"}
_OTHERWISE = late(
    rf"\?|(?:^|[.!]\s)[\s*_\"“(]{{0,3}}{any_of('begins another answer')}|\b{any_of('tells of another answer')}"
    r"|(?:\b(?:not|never|cannot)|n['’]t)\b(?:[ ]\w+){0,3}?[ ](?:right|correct|true|answers?|sure|certain|valid|accurate|it|so"
    r"|possible|know|fit|works?|holds?)\b",
    re.IGNORECASE,
)
# "It is Lyon.", "The total is 43 pens.": all that the sentence says is another answer, or the same one again.
_GIVEN = late(
    r"(?:\b(?:is|was|are|were|equals)|['’]s|=)[ ](?:the[ ]|in[ ]|actually[ ]|really[ ]){0,2}[*_\"“$]{0,3}"
    r"(?P<given>[^\W\d_a-z][\w'’-]{0,40}(?:[ ][^\W\d_a-z][\w'’-]{0,40}){0,3}|[-−]?[$€£]?\d[\d,]{0,20}(?:\.\d{1,20})?)"
    r"(?:[ ][a-z]{1,20})?[*_\"”$]{0,3}(?:[.!,;]|\s*\Z)"
)
_ALSO = late(rf"\b{any_of('offers one more')}", re.IGNORECASE)
_TRUTH = frozenset(("yes", "no", "true", "false"))
_APPOSITION = late(r"[ \t](?:–|—|--?)[ \t](?=(?:the|an?|its|his|her|their|which|who|where)[ ][a-z]{3})")
_FAR = 400


def before_remark(shown: str, span: Span, *, may_count: bool = False) -> Span | None:
    """The place of the answer before the remark that its line ends with, if that takes nothing back and offers nothing.

    Where the line ``may_count`` the items of a list, "3. The area is 7" is no 3.

    >>> text = "Dr. Watson. He tells the story."
    >>> text[slice(*before_remark(text, (0, 31)))], before_remark("Paris. Or maybe Lyon.", (0, 21))
    ('Dr. Watson', None)
    """
    start, end = span
    for stop in _STOP.finditer(shown, start, min(end, start + _FAR)):
        if end - start > 4 and _ends(shown, start, stop):
            head, rest = shown[start : stop.start()], shown[stop.end() : end]
            if not (_adds(head, rest, may_count, stop[0][0]) or _only_closes(head, rest)):
                return None
            return _unwrapped(shown, start, stop.end("closed"))
    dash = _APPOSITION.search(shown, start + 1, min(end, start + _FAR)) if "–" in shown or "—" in shown or " -" in shown else None
    if dash is None or _speaks_otherwise(shown[start : dash.start()], shown[dash.end() : end]):
        return None
    return _unwrapped(shown, start, dash.start())


def _unwrapped(shown: str, start: int, end: int) -> Span | None:
    start, end = unwrap(shown, (start, end))
    return (start, end) if start < end else None


def _ends(shown: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a sentence ends there, and not an abbreviation: not in "J. K. Rowling", but in "Vitamin C. It is healthy."."""
    if stop[0][0] == "!" or not _ABBREVIATED.search(shown, max(start, stop.start() - 8), stop.start()):
        return True
    alone = shown[start : stop.start()].strip(" *_\"“").lower() in _TRUTH
    return alone or _OPENS.match(shown, stop.end()) is not None


def _only_closes(head: str, rest: str) -> bool:
    """Whether a piece of mathematics or a number stands before the stop, and nothing behind it that could bear on it."""
    if SECOND_THOUGHT.search(rest):
        return False
    return _delimited(head) or read_number(unwrapped(head)) is not None


def _delimited(text: str) -> bool:
    r"""Whether the whole is one piece of mathematics between dollar signs or in \(…\)."""
    inner = text[1:-1]
    return len(text) > 2 and (
        (text[0] == text[-1] == "$" and "$" not in inner)
        or (text[:2] == r"\(" and text[-2:] == r"\)" and r"\(" not in inner)
    )


def _adds(head: str, rest: str, may_count: bool, mark: str) -> bool:
    """Whether the rest is of whole sentences that leave the answer as it is."""
    bare = unwrapped(head)
    short = len(bare) == 1 or read_number(bare) is not None
    if short and (may_count or mark == "!" or not _OPENS.match(rest)):
        return False
    if not all(map(_is_sentence, _STOP.split(rest)[::2])):
        return False
    return not _speaks_otherwise(head, rest)


def _is_sentence(said: str) -> bool:
    """Whether it says something: it begins with a capital or a number, and has a small word that does not stand in names."""
    if not said.strip():
        return True
    if not _BEGINS.match(said):
        return False
    others = [word.strip("*_\"“”'’.!") for word in _WORD.findall(said)][1:]
    small = [word for word in others if len(word) > 1 and word.islower() and word not in _NO_VERB]
    return bool(small) and (len(others) > 1 or _OPENS.match(said) is not None)


def _speaks_otherwise(head: str, rest: str) -> bool:
    """Whether the remark takes the answer back, doubts it, or gives or offers another one."""
    if _OTHERWISE.search(rest):
        return True
    if _ALSO.search(rest) and not _OPENS.match(rest):
        return True
    said = head.lower()
    return any(given["given"].lower() not in said for given in _GIVEN.finditer(rest))
