"""The letter that a check of the marked one comes to: "The answer is A. Let me check: … So it should be D."."""

from __future__ import annotations

import re
from itertools import islice

from steelyard.extract.choice.change import changed
from steelyard.extract.choice.commitment import affirmed
from steelyard.extract.choice.conclusion import is_ours
from steelyard.extract.choice.letters import Patterns, masked
from steelyard.extract.found import Found
from steelyard.text.late import late

_CUES = (
    "heck", "erify", " me re", "ait", "mm", "dit:", "DIT:", "pdate:", "old on", "ops", "eflection", " thought", "I "
)  # fmt: skip
_CHECKS = late(
    r"\b(?:double[- ]check|re-?check|let me (?:check|verify|re)|let's (?:check|verify)"
    r"|wait\b|hmm\b|edit:|update:|hold on\b|oops\b"
    r"|on (?:reflection|second thought)|i (?:mixed|made a|dropped|confused|swapped|misread|forgot|missed|miscounted))",
    re.IGNORECASE,
)
_SO = late(
    r"\b(?:(?:it|that|this|the answer)[ ](?:should|must|has to|would have to)[ ]be|(?:so[ ])?i(?:['’]ll| will)?[ ]"
    r"(?:choose|pick|select|go with|take)"
    r"|(?:so|thus|therefore|hence)[ ,]+(?:it|that|this|the \w+)(?:'s| is| should be| must be| has to be)"
    r"|(?:correct|right)[ ](?:option|choice|answer|letter)(?: is| should be| must be| would be))[ ]+"
    r"(?:actually[ ]+)?(?:option[ ]+|choice[ ]+)?\Z",
    re.IGNORECASE,
)
# "… The correct option is C.": it names the answer once more, in a sentence of its own.
_NAMES_AGAIN = late(
    r"(?<=[.!?\n])[ *_]{0,8}(?:(?:so|thus|therefore|hence)[ ,]{1,3})?(?:the|my)[ ](?:correct|right|final)[ ]"
    r"(?:option|choice|letter)[ ](?:is|should be)\b",
    re.IGNORECASE,
)
_MANY = 100  # letters; more is not an answer but an attack


def revised(shown: str, found: Found, use: Patterns) -> Found | None:
    """The last letter of the text, if a check after the marked one leads to it as the response's own choice, or a change."""
    if " to " in shown and (change := changed(masked(shown), found.span[1], use)):
        return change
    checks = _CHECKS.search(shown, found.span[1]) if any(cue in shown for cue in _CUES) else None
    if checks is None and not _NAMES_AGAIN.search(shown, found.span[1]):
        return None
    begin, leads = (checks.end(), _SO) if checks else (found.span[1], _NAMES_AGAIN)
    plain = masked(shown)
    letters = list(islice(use.standing.finditer(plain, begin), _MANY))
    if not letters or len(letters) == _MANY:
        return None
    for match in islice(use.phrase.finditer(plain, begin), _MANY):
        last = match.start(1) == letters[-1].start(1)
        if last and leads.search(plain, begin, match.start(1)) and is_ours(plain, match.start(1)):
            return Found(match[1].upper(), match.span(1), "check") if affirmed(shown, plain, match, use) else None
    return None
