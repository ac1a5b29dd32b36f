"""The letter to which a response changes its answer: "I'm changing my answer from C to B."."""

from __future__ import annotations

import re
from itertools import islice

from steelyard.extract.choice.conclusion import is_ours, sentence
from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.late import late

_VERB = r"(?:chang|switch|revis|updat|amend|correct)"
_CHANGE = late(
    r"(?i:\b(?:i|we)(?:['’](?:m|ll|re|ve)|[ ](?:am|are|will|have|must|want[ ]to|need[ ]to|have[ ]to))?"
    r"(?:[ ](?:now|therefore|thus))?"
    rf"[ ](?:going[ ]to[ ])?{_VERB}"
    r"(?:(?:e|ing|ed)?[ ](?:my|the|our)[ ](?:\w+[ ])?(?:answer|choice|selection|response|pick)|(?:e|ing)?)"
    r"[ ]{1,3}from[ ]{1,3}(?:option[ ]|choice[ ])?)(?P<old>[A-Z])[ ]{1,3}(?i:to[ ]{1,3}(?:option[ ]|choice[ ])?)"
    r"(?P<new>[A-Z])(?!,?\s{0,3}(?:if|unless|were|had|should|provided|only|assuming|in[ ]case)\b)"
    r"(?=[ ]{0,3}(?:[.,;!]|\n|\Z|(?:because|since|as)\b))"
)
# "Should the premise change, I will …"
_CONDITION = late(r"[\s*_]{0,6}(?:should|were|had|if|unless|suppose|supposing|assuming|provided)\b", re.IGNORECASE)
_MANY = 20


def changed(plain: str, start: int, use: Patterns) -> Found | None:
    """The letter of the last such change behind that place, where no other letter follows it."""
    if "from " not in plain:
        return None
    found = islice(_CHANGE.finditer(plain, start), _MANY)
    changes = [m for m in found if is_ours(plain, m.start()) and not _CONDITION.match(plain, sentence(plain, m.start())[0])]
    if not changes or not use.one.fullmatch(changes[-1]["new"]) or use.standing.search(plain, changes[-1].end()):
        return None
    return Found(changes[-1]["new"], changes[-1].span("new"), "change")
