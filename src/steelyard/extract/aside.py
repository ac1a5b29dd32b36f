"""The parenthesis after an answer that only explains it: 42 (forty-two), Paris (the capital of France)."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.maths.mathematics import wordy
from steelyard.text.number.read import read_number
from steelyard.text.number.value import same_value
from steelyard.text.wrap import Span, unwrap, unwrapped

_ASIDE = late(
    r"(?P<head>[^\s(].*?)[ \t*_`$\"”’]{1,6}[(\[](?P<aside>[^()\[\]\n]{2,200})[)\]][.!*_]{0,4}"
)
# It says otherwise, doubts, or gives another answer beside the first.
_OTHERWISE = late(
    r"\?|\b\w+n['’]t\b|\b(?:not|no|nor|never|or|wrong|incorrect|false|untrue|mistaken|unsure|uncertain|sure|guess(?:ing)?|maybe"
    r"|perhaps|possibly|possible|probably|might|may|could|either|neither|both|but|wait|actually|instead|rather|however|sorry|also"
    r"|alternatively|alternative|otherwise|unless|if|without|except|mod|pmod|yes|true)\b|^\s*(?:and|plus|to|through|vs)\b",
    re.IGNORECASE,
)
_SAME = late(
    r"(?:or|i\.e\.|that is|equals|aka|about|approximately|exactly|[=≈~]|,|\s)+", re.IGNORECASE
)
_YEARS = late(r"[\s\d–—/.-]+")
_WORD = late(r"[^\W\d_]{2}|[\u3040-\u9fff\uac00-\ud7a3]")


def without_aside(text: str, span: Span) -> Span | None:
    """The place of the answer before the parenthesis with which it ends, if that takes nothing back and offers nothing.

    >>> without_aside("42 (forty-two)", (0, 14)), without_aside("Paris (or Lyon)", (0, 15)), without_aside("f(x)", (0, 4))
    ((0, 2), None, None)
    """
    found = _ASIDE.fullmatch(text, *span)
    if found is None or not _explains(found["head"], found["aside"]):
        return None
    start, end = unwrap(text, found.span("head"))
    return (start, end) if start < end else None


def _explains(head: str, aside: str) -> bool:
    value, said = read_number(unwrapped(head)), _SAME.match(aside)
    other = read_number(aside[said.end() :] if said else aside)
    if value is not None and other is not None:
        return same_value(value, other)  # 0.75 (or 3/4) says it twice, 42 (43) says something else
    if _OTHERWISE.search(aside):
        return False
    if _WORD.search(aside):
        return True
    # The years of Shakespeare (1564-1616) are an aside, the 30 of sin (30) is not.
    return (
        "=" in aside if value is not None else wordy(head) and _YEARS.fullmatch(aside) is not None
    )
