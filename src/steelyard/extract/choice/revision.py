"""The letter that a check of the marked one comes to: "The answer is A. Let me check: … So it should be D."."""

from __future__ import annotations

import re
from itertools import islice

from steelyard.extract.choice.affirmation import affirmed
from steelyard.extract.choice.change import changed
from steelyard.extract.choice.conclusion import is_ours
from steelyard.extract.choice.letters import Patterns, masked, phrase_in
from steelyard.extract.found import Found
from steelyard.text.late import late

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
    may_check = _may_check(shown) and _names_check(shown[found.span[1] :].lower())
    checks = _CHECKS.search(shown, found.span[1]) if may_check else None
    if checks is None and not _NAMES_AGAIN.search(shown, found.span[1]):
        return None
    begin, leads = (checks.end(), _SO) if checks else (found.span[1], _NAMES_AGAIN)
    plain = masked(shown)
    letters = list(islice(use.standing.finditer(plain, begin), _MANY))
    if not letters or len(letters) == _MANY:
        return None
    for match in islice(phrase_in(plain, use).finditer(plain, begin), _MANY):
        last = match.start(1) == letters[-1].start(1)
        if last and leads.search(plain, begin, match.start(1)) and is_ours(plain, match.start(1)):
            return (
                Found(match[1].upper(), match.span(1), "check")
                if affirmed(shown, plain, match, use)
                else None
            )
    return None


def _may_check(shown: str) -> bool:
    """Whether one of the words is there that begin a check."""
    return (
        "I " in shown
        or "heck" in shown
        or "erify" in shown
        or " me re" in shown
        or "ait" in shown
        or "mm" in shown
        or "dit:" in shown
        or "DIT:" in shown
        or "pdate:" in shown
        or "old on" in shown
        or "ops" in shown
        or "eflection" in shown
        or " thought" in shown
    )


def _names_check(low: str) -> bool:
    """Whether such a word stands behind the letter in whatever case: "I " alone begins most sentences."""
    if (
        "check" in low
        or "verify" in low
        or "let me re" in low
        or "wait" in low
        or "hmm" in low
        or "oops" in low
    ):
        return True
    if (
        "edit:" in low
        or "update:" in low
        or "hold on" in low
        or "on reflection" in low
        or "on second thought" in low
    ):
        return True
    return (
        "i m" in low
        or "i dropped" in low
        or "i confused" in low
        or "i swapped" in low
        or "i forgot" in low
    )
