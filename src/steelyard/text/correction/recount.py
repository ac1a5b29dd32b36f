"""The answer at which a text arrives after it has found a mistake: "24. Wait, I counted twice. So the result is 12."."""

from __future__ import annotations

import re

from steelyard.text.late import late

_RESULT = r"(?:answer|result|total|sum|value|number|count|area|volume|price|cost|probability|difference|product|average)"
# What is said of the new number: "so it is", "which gives", "the correct value is", "it should be".
_ARRIVES = late(
    rf"(?:\b(?:so|thus|therefore|hence|then|which|giving)\b[ ,]*"
    rf"(?:(?:it|that|this|there|we|the[ ](?:correct[ ]|right[ ]|new[ ]|final[ ])?{_RESULT})[ ]?)?"
    rf"(?:['’]s|is|are|gives?|makes?|leaves?|equals?|get|have|should[ ]be|must[ ]be|becomes)"
    rf"|\b(?:the[ ])?(?:correct|right|actual|true|corrected)[ ]{_RESULT}[ ](?:is|was|should[ ]be)"
    rf"|\b(?:it|that|the[ ]{_RESULT})[ ](?:should|must)[ ](?:be|have[ ]been)|\bcorrected:)[ \t]*"
    rf"(?=[*_$(\\]{{0,4}}(?:boxed\{{)?[-−]?\d)",
    re.IGNORECASE,
)
# "It should be Brasília."
_SHOULD_BE = late(
    r"\b(?:[Ii]t|[Tt]hat|[Tt]he (?:correct |right )?answer)[ ](?:should|must|has to)[ ]be[ ](?:the[ ])?"
    r"(?=[*_\"“]{0,3}[^\W\d_a-z])"
)
_AHEAD = 240


def recounted(text: str, start: int) -> int | None:
    """Where the number, or else the name, begins at which the text arrives last, shortly after the mistake.

    >>> text = "24. Wait, I counted twice. So the result is 12."
    >>> text[recounted(text, 9) :]
    '12.'
    """
    found = [arrived.end() for arrived in _ARRIVES.finditer(text, start, start + _AHEAD)]
    found = found or [arrived.end() for arrived in _SHOULD_BE.finditer(text, start, start + _AHEAD)]
    return found[-1] if found else None
