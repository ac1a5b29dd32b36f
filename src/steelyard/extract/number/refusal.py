"""Whether a number only stands in the words by which a response gives no answer: "I cannot answer question 42"."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.number.read import Number

_TASK = (
    r"(?:answer|solve|determine|help|assist|say|tell|provide|compute|calculate|find|figure|work|know|view|see"
    r"|access|give|complete)"
)
_REFUSES = late(
    rf"\b(?:(?:i|we)(?:['’]m|['’]re|[ ]am|[ ]are)?[ ](?:\w+ly[ ])?(?:cannot|can not|can['’]t|could not|couldn['’]t|unable to"
    rf"|not able to|refuse to)[ ](?:\w+ly[ ])?{_TASK}|(?:impossible|unable) to {_TASK}|(?:i|we)[ ](?:do not|don['’]t)[ ](?:know"
    r"|have[ ](?:enough|sufficient|access))|(?:enough|insufficient)[ ](?:information|data|context|details"
    r"|to[ ](?:answer|determine|solve|tell|say|know))|(?:is|are|has|have)[ ]no[ ](?:answer|solution"
    r"|way[ ]to[ ](?:know|tell|determine|answer))"
    r"|(?:is|are)[ ](?:undefined|unknown|indeterminate|undetermined)"
    r"|(?:cannot|can['’]t|could not)[ ]be[ ](?:answered|solved|determined|computed|calculated|known|found))\b",
    re.IGNORECASE,
)
# After one of these a number is given all the same: "I can't be sure, but about 42".
_GIVES = late(
    r"=|:[ ]|\b(?:but|however|so|thus|therefore|hence|then|instead|though|yet|still|assuming|if|using|is|are|was"
    r"|were|be|equals?|gives?|get"
    r"|guess|estimate|about|around|approximately|roughly|total|leaves?|makes?)\b|['’]s\b",
    re.IGNORECASE,
)
# "I get 11 one way and 13 the other, and I can't tell which is right."
_UNDECIDED = late(
    r"[^!?\n]{0,80}\b(?:can(?:not|['’]t|[ ]not)|could(?:n['’]t|[ ]not)|unable[ ]to|not[ ]sure|unsure"
    r"|no[ ]way[ ]to|(?:do[ ]not|don['’]t)[ ]know)"
    r"(?:[ ](?:tell|say|decide|choose|determine|know))?[ ]which\b[^!?\n]{0,40}\s*\Z",
    re.IGNORECASE,
)
_STOP = late(r"[.!?](?:\s|$)|\n")
_LONG = 400  # a longer response has more to say than that it refuses


def is_refusal(shown: str, number: Number) -> bool:
    """Whether the response refuses before the number, and gives none after that; or in the sentence that mentions it.

    >>> is_refusal("I cannot answer question 42.", Number(42, (25, 27)))
    True
    """
    if len(shown) > _LONG or not _hints(shown) or not _may_refuse(shown.lower()):
        return False
    start, end = number.span
    if "which" in shown and _UNDECIDED.match(shown, end):
        return True
    found = [m.span() for m in _REFUSES.finditer(shown)]
    if before := [stop for _, stop in found if stop <= start]:
        return _GIVES.search(shown, before[-1], start) is None
    if not found or _STOP.search(shown, end, found[0][0]):
        return False
    first = max((m.end() for m in _STOP.finditer(shown, 0, start)), default=0)
    return _GIVES.search(shown, first, start) is None


def _hints(shown: str) -> bool:
    """Whether one of the words is there without which nothing is refused; most texts have none."""
    return (
        "not" in shown
        or "n't" in shown
        or "no " in shown
        or "unable" in shown
        or "nsufficient" in shown
        or "mpossible" in shown
        or "enough" in shown
        or "unde" in shown
        or "unkn" in shown
        or "indet" in shown
        or (not shown.isascii() and "n’t" in shown)
    )


def _may_refuse(low: str) -> bool:
    """Whether the text in small letters has one of the words that ``_REFUSES`` and ``_UNDECIDED`` cannot do without."""
    return (
        "cannot" in low
        or "n't" in low
        or "n’t" in low
        or "can not" in low
        or "could not" in low
        or "do not" in low
        or "not able" in low
        or "not sure" in low
        or "no answer" in low
        or "no solution" in low
        or "no way" in low
        or "unable" in low
        or "unsure" in low
        or "refuse" in low
        or "enough" in low
        or "insuff" in low
        or "imposs" in low
        or "undef" in low
        or "undet" in low
        or "unkn" in low
        or "indet" in low
    )
