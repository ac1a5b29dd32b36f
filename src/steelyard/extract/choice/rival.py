"""Whether another letter is put beside the marked one: "B if the pump is off, D if it runs", "C, but D is equally good"."""

from __future__ import annotations

from steelyard.extract.choice.letters import Patterns
from steelyard.text.late import late

_BESIDE = late(
    r"[)*.\]]{0,4}(?:[ ](?:if|when)\b[^.!?\n]{1,60}?[,;][ ](?:(?:and|or|but)[ ])?"
    r"(?:(?P<other>[A-Z])[ ](?:if|when|otherwise)\b|otherwise,?[ ](?:it(?:['’]s|[ ]is)[ ])?(?P<else>[A-Z])(?!\w))"
    r"|[,;]?[ ](?:but|though|although|and|yet)[ ](?:option[ ])?\(?(?P<also>[A-Z])\)?"
    r"[ ](?:is|would[ ]be|could[ ]be|seems|looks|works)"
    r"[ ](?:equally|just[ ]as|as)[ ](?:correct|right|valid|plausible|good|likely|true)\b(?![ ]known)"
    r"|[.,;]?[ ](?:(?:[Hh]owever|[Bb]ut|[Aa]nd|[Tt]hough),?[ ])?(?:[Oo]ption[ ])?\(?(?P<too>[A-Z])\)?"
    r"[ ](?:is|seems|looks)[ ]also[ ](?:correct|right|true|valid|plausible)\b|\.[ ]And[ ]\(?(?P<and>[A-Z])\)?[.!]?\s*\Z)"
)


def has_rival(raw: str, end: int, use: Patterns) -> bool:
    """Whether the text goes on so behind the letter that ends there."""
    if not (
        " if" in raw
        or " when" in raw
        or " as " in raw
        or " equally " in raw
        or " also " in raw
        or " And " in raw
    ):
        return False
    found = _BESIDE.match(raw, end)
    other = (
        (found["other"] or found["else"] or found["also"] or found["too"] or found["and"])
        if found
        else None
    )
    return other is not None and use.one.fullmatch(other) is not None
