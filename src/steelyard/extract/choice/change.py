"""The letter to which a response changes its answer: "I'm changing my answer from C to B.", "I switch to B."."""

from __future__ import annotations

import re
from itertools import islice

from steelyard.extract.choice.conclusion import is_ours, sentence
from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.late import late

_VERB = r"(?:chang|switch|revis|updat|amend|correct)"
_OPTION = r"(?:option[ ]|choice[ ])?"
_I = (
    r"(?i:\b(?:i|we)(?:['’](?:m|ll|re|ve)|[ ](?:am|are|will|have|must|want[ ]to|need[ ]to|have[ ]to))?"
    r"(?:[ ](?:now|therefore|thus))?[ ](?:going[ ]to[ ])?"
)
_ANSWER = r"(?:my|the|our)[ ](?:\w+[ ])?(?:answer|choice|selection|response|pick)"
_CHANGE = late(
    rf"{_I}(?:{_VERB}(?:(?:e|ing|ed)?[ ]{_ANSWER}|(?:e|ing)?)[ ]{{1,3}}from[ ]{{1,3}}{_OPTION}(?P<old>(?-i:[A-Z]))[ ]{{1,3}}"
    rf"|{_VERB}(?:e|ing|ed)?[ ](?:it|this|that|{_ANSWER})[ ]{{1,3}}|switch(?:ing)?[ ]{{1,3}})"
    rf"to[ ]{{1,3}}{_OPTION})"
    r"(?P<new>[A-Z])(?!,?\s{0,3}(?:if|unless|were|had|should|provided|only|assuming|in[ ]case)\b)"
    r"(?=[ ]{0,3}(?:[.,;!]|\n|\Z|(?:because|since|as)\b))"
)
# "Should the premise change, I will …"
_CONDITION = late(
    r"[\s*_]{0,6}(?:should|were|had|if|unless|suppose|supposing|assuming|provided)\b", re.IGNORECASE
)
# "Having looked at the table again, I'm switching to C."
_LOOKED_AGAIN = late(
    r"\s*(?:having|after|on|upon|looking|given|since|because|now)\b[^.!?,\n]{1,120},[ ]",
    re.IGNORECASE,
)
_MANY = 20


def changed(plain: str, start: int, use: Patterns) -> Found | None:
    """The letter of the last such change behind that place, where no other letter follows it."""
    if " to " not in plain or not _may_change(plain):
        return None
    changes = [
        m for m in islice(_CHANGE.finditer(plain, start), _MANY) if _is_meant(plain, m.start())
    ]
    if (
        not changes
        or not use.one.fullmatch(changes[-1]["new"])
        or use.standing.search(plain, changes[-1].end())
    ):
        return None
    return Found(changes[-1]["new"], changes[-1].span("new"), "change")


def _may_change(plain: str) -> bool:
    """Whether one of the verbs is there."""
    return (
        "hang" in plain
        or "witch" in plain
        or "evis" in plain
        or "pdat" in plain
        or "mend" in plain
        or "orrect" in plain
    )


def _is_meant(plain: str, at: int) -> bool:
    """Whether the change that begins there is the response's own, and under no condition."""
    begin = sentence(plain, at)[0]
    if _CONDITION.match(plain, begin):
        return False
    looked = _LOOKED_AGAIN.match(plain, begin, at)
    return (looked is not None and looked.end() == at) or is_ours(plain, at)
