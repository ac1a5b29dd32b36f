"""The reason with which the line of an answer goes on: "Paris, because it is the capital"."""

from __future__ import annotations

import re

from steelyard.extract.found import Found
from steelyard.extract.remark import SECOND_THOUGHT
from steelyard.text.late import late
from steelyard.text.wrap import unwrap

# "since 987" and "since the 12th century" tell the time, and no reason.
_SINCE = (
    r"since(?![ ](?:then|(?:about[ ]|around[ ]|at[ ]least[ ]|early[ ]|late[ ]|the[ ]|[A-Z][a-z]{2,8}[ ]){0,3}"
    r"(?:\d{3,4}s?(?![ ]?[-+*/×÷=<>^\w.])|\d{1,2}(?:st|nd|rd|th)[ ]century))\b)"
)
_AS = rf"(?:because|{_SINCE}|as(?! well\b)|for)\b"
# With a blank or a mark it begins, which is found fast.
_REASON = late(
    rf"[ \t,;–—](?:(?<=[ \t])[ \t]*(?:(?:[,;–—]|(?<=[ ])-)[ \t]*{_AS}|(?:because|{_SINCE})\b)|(?<=[,;–—])[ \t]*{_AS})"
)
_OTHERWISE = late(
    r"\b(?:or|but|wait|actually|instead|however|sorry|mistake|correction|hmm|maybe|perhaps|rather)\b",
    re.IGNORECASE,
)


def bold_head(shown: str, line: Found) -> Found | None:
    """The bold beginning of a line that goes on with a reason.

    >>> bold_head("**It is Paris**, because it is.", Found("", (2, 31), "last line")).value
    'It is Paris'
    """
    start, stop = line.span
    close = shown.find("**", start, stop)
    if close <= start or shown.count("**", shown.rfind("\n", 0, start) + 1, start) % 2 == 0:
        return None
    if not _REASON.match(shown, close + 2, stop) or SECOND_THOUGHT.search(shown, close + 2, stop):
        return None
    start, end = unwrap(shown, (start, close))
    return Found(shown[start:end], (start, end), line.stage) if start < end else None


def without_reason(shown: str, line: Found) -> Found | None:
    """The line up to the reason that it goes on with.

    >>> without_reason("Paris, because it is.", Found("", (0, 21), "last line")).value
    'Paris'
    """
    start, stop = line.span
    reason = _REASON.search(shown, start + 1, min(stop, start + 200))
    if reason is None or _OTHERWISE.search(shown, reason.end(), stop):
        return None
    start, end = unwrap(shown, (start, reason.start()))
    return Found(shown[start:end], (start, end), line.stage) if start < end else None
