"""An answer that a response only supposes, to see where it leads: "If the answer is 12, then x would be negative"."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.number.read import find_numbers
from steelyard.text.number.value import Value
from steelyard.text.wrap import Span

_SUPPOSED = late(
    r"\b(?:if|suppos(?:e|ing)|assum(?:e|ing)|imagine|(?:let us|let['’]s) say)[ ,]{1,2}(?:for a moment[ ,]{1,2})?(?:that )?"
    r"(?:(?:the|my|our) )?(?:\w{1,12} ){0,2}answer (?:is|was|were|equals|to be|had been)[\s$*_`(]{1,6}(?:\\boxed\{)?",
    re.IGNORECASE,
)
_END = late(r"[.!?](?=\s|\Z)|\n|\Z")
# Where the supposition is refuted, perhaps in a later sentence; and where it is found to be right.
_REFUTED = late(
    r"[^\n]{0,250}?\b(?:contradict\w*|impossib\w+|absurd\w*|can(?:not|['’]t| not)|would(?:n['’]t)?|does(?:n['’]t| not)|not)\b",
    re.IGNORECASE,
)
_AFFIRMED = late(
    r"\b(?:works|fits|match(?:es)?|checks|holds|satisf\w+|consistent|correct|right|indeed)\b|✓",
    re.IGNORECASE,
)


def supposition(shown: str, at: int) -> tuple[Span, Value] | None:
    """The place of the supposition, with what follows from it, that the number there belongs to, and the supposed value.

    >>> text = "It was 7. If the answer is 12, then x would be -3."
    >>> supposition(text, 47), supposition(text, 7)
    (((10, 50), Decimal('12')), None)
    """
    for found in reversed(list(_SUPPOSED.finditer(shown, max(0, at - 400), at + 1))):
        end = _end(shown, found.end())
        number = next(find_numbers(shown, found.end(), min(end, found.end() + 40)), None)
        if number is None or number.span[0] - found.end() > 2:
            continue
        refuted = _REFUTED.match(shown, number.span[1])
        if refuted is None and _AFFIRMED.search(shown, number.span[1]):
            return None
        end = max(end, _end(shown, refuted.end())) if refuted else end
        return ((found.start(), end), number.value) if at < end else None
    return None


def _end(shown: str, at: int) -> int:
    """Where the sentence ends."""
    found = _END.search(shown, at)
    return found.end() if found else len(shown)
