"""Whether a text denies what it mentions: "not B", "isn't 42", "Canberra is wrong".

The same patterns serve raw text and normal forms, in which apostrophes are gone.
"""

from __future__ import annotations

import re

_AUXILIARY = "is|was|are|were|do|does|did|wo|would|could|should|has|have|ca|may|might"
_NEGATOR = (
    r"(?:\b(?:not|no|never|neither|nor|without|except|excluding|unlike|cannot|hardly|than|eliminates?|rules? out"
    rf"|anything but|everything but|all but)|n['’]t|\b(?:{_AUXILIARY})nt)\b"
)
# A clause ends at punctuation, and at a word that turns the thought: "not A but B" does not deny B.
_WITHIN = r"(?:[^\w.,;:!?()\n]+(?!(?:but|rather|instead)\b)\w+)"
_BEFORE = re.compile(rf"{_NEGATOR}{_WITHIN}{{0,3}}[^\w.,;:!?\n]*$", re.IGNORECASE)
_HARMLESS = re.compile(
    r"\b(?:no doubt|no question|not only|not just|not merely|none other than|no other than|why not)\b",
    re.IGNORECASE,
)
_WRONG = r"(?:wrong|incorrect|false|untrue|impossible|mistaken|ruled out)"
_NOT_IT = rf"(?:{_WRONG}|not(?: (?:right|correct|it|the answer))?(?=[ \t]*(?:[.!,;)\n]|$)))"
_AFTER = re.compile(
    rf"[ \t*_)\"'”’]*(?:(?:is|was|are|were|would be|seems|looks)(?:[ \t]+(?:\w+ly|just|also|still))?[ \t]+(?:{_WRONG}|not"
    rf"|never|no longer|out)"
    r"|(?:is|was|are|were)n['’]?t|(?:cannot|can not|(?:ca|could|would)n['’]?t)[ \t]+(?:be|work|hold)"
    r"|(?:does|did|do|would|could|will)(?:[ \t]+not|n['’]?t)[ \t]+(?:work|fit|hold|apply|match|satisfy|make|answer)"
    rf"|,?[ \t]*(?:which|that)[ \t]+(?:is|was)[ \t]+(?:{_WRONG}|not[ \t]+(?:correct|right|it))"
    # One might think it is B, but that is wrong. / It is not.
    rf"|(?:,?[ \t]*but|[.!?][ \t]+(?:but )?)[ \t]*(?:this|that|it)(?:['’]s|[ \t]+is)[ \t]+{_NOT_IT})(?!\w)",
    re.IGNORECASE,
)
_LETTERS = (
    "n't",
    "n’t",
    "no",
    "never",
    "neither",
    "with",
    "exc",
    "unlike",
    "hardly",
    "than",
    "elim",
    "rule",
    "nt",
    "but",
)


def clause_before(text: str, start: int) -> str:
    """The clause that leads up to that place, in lower case; most marks begin a line, and have none.

    >>> clause_before("Wait. I do not think the answer", 25)
    ' i do not think the '
    """
    before = text[max(0, start - 60) : start]
    cut = max(before.rfind("\n"), before.rfind("."), before.rfind(","), before.rfind(":"), before.rfind(";"))
    return before[cut + 1 :].lower()


def denied_before(text: str, start: int) -> bool:
    """Whether a negator stands at most three words before that place, in the same clause.

    >>> denied_before("it is not the B", 14), denied_before("not A but B", 10)
    (True, False)
    """
    before = clause_before(text, start)
    # The letters are looked for first: that is several times faster, and most texts have none of them.
    if len(before) < 3 or not any(letters in before for letters in _LETTERS):
        return False
    return _BEFORE.search(_HARMLESS.sub(" ", before)) is not None


def denied_after(text: str, end: int) -> bool:
    """Whether "is wrong", "is not" or the like follows that place.

    >>> denied_after("B is clearly wrong", 1), denied_after("B is right", 1)
    (True, False)
    """
    return end < len(text) and _AFTER.match(text, end, end + 80) is not None
