"""Lines whose label says that what follows is no answer: "Not the answer: C", "Wrong answer: 42"."""

from __future__ import annotations

import re

from steelyard.text.late import late

Span = tuple[int, int]

# What stands before "answer" in such a label; of most responses nothing else is looked at.
_DENYING = ("rong ", "ncorrect ", "alse ", "ejected ", "istaken ")
_AFTER_NOT = ("the ", "an ", "my ", "our ", "orrect ", "ight ", "inal ", "est ")
_LABEL = late(
    r"(?:\A|(?<=[\n.!?;]))[ \t*_#>-]{0,8}(?:(?:definitely|certainly|clearly|so|this is|that is|it is|it['’]s)[ ,]{1,2}){0,2}"
    r"(?:not[ ](?:the|an|my|our)(?:[ ](?:correct|right|final|best))?|(?:an?[ ]|the[ ])?"
    r"(?:most[ ])?(?:common[ ]|typical[ ]|usual[ ])?(?:wrong|incorrect|false|rejected|mistaken))"
    r"[ ]answers?[*_]{0,3}[ ]?[:：]"
    # … up to the end of its sentence, or to what is then called the answer
    r"(?:(?![,;(]?[ ]{0,2}(?:(?:the|my|and|but)[ ]){0,2}(?:(?:right|correct|final|actual|real|true|proper)[ ])?answer\b)"
    r"(?:[^\n.!?;→]|[.](?=\d)))*",
    re.IGNORECASE,
)


def disowned_lines(text: str) -> list[Span]:
    """Where such labels stand, each with the rest of its sentence.

    >>> [text[a:b] for text in ["Answer: C\\nNot the answer: A"] for a, b in disowned_lines(text)]
    ['Not the answer: A']
    """
    if not _may_disown(text):
        return []
    return [found.span() for found in _LABEL.finditer(text)]


def _may_disown(text: str) -> bool:
    at = text.find("nswer")
    ends = (*_DENYING, *_AFTER_NOT) if at > 0 and "ot " in text else _DENYING
    while at > 0:
        if text.endswith(ends, 0, at - 1):
            return True
        at = text.find("nswer", at + 1)
    return False
