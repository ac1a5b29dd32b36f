"""Two marks with an "or" between them mark one answer, which is none: "Answer: C or Answer: D" reads "Answer: C or D".

The second mark gives way to the "or", in place, so that everyone who reads an answer out of a text meets two that are offered
side by side, and knows what to do with them.
"""

from __future__ import annotations

import re

from steelyard.text.late import late

_HEDGE = r"(?:maybe|perhaps|possibly|alternatively|conceivably)"
_MARK = (
    r"(?:(?:the|my|an?)[ ])?(?:(?:final|correct|right|best|other|second|actual)[ ])?[*_]{0,3}answers?[*_]{0,3}"
    r"(?:[ ](?:is|was|could(?:[ ]also)?[ ]be|might(?:[ ]also)?[ ]be|may(?:[ ]also)?[ ]be|would[ ]be)\b|[ ]?:)[*_ ]{0,5}"
)
# From the end of the first answer to the beginning of the second.
_JOINT = late(
    rf"[ \t,;.*_)\"”/–—-]{{0,6}}\n?(?<!\w)(?:(?P<or>or(?:[ ,]{{1,2}}(?:else|{_HEDGE}))?)|(?P<hedge>(?:and[ ])?{_HEDGE}))"
    rf"(?:[ \t,:*_(\"“]{{1,4}}|[ \t]?\n){_MARK}",
    re.IGNORECASE,
)
_SAID = r"[ *_:$(\"“`\\]{0,6}(?!answer|or\b)[\w\\-](?:[^.!?;\n]|\.(?=\w)){0,60}\Z"
# Behind a hedge only what looks like an answer is one: "It may be ambiguous" offers nothing.
_NO_ANSWER = r"(?![ ](?:found|given|seen|known|shown|\w+ed|\w+ing|in|on|at)\b)"
_MAY_BE = r"\b(?:could|might|may)[ ](?:also[ ])?be\b"
_HEDGED = (
    rf"(?:(?<!\w){_HEDGE}[ ]|{_MAY_BE}[ ])(?=[*_\"“(]{{0,3}}(?:the[ ])?(?-i:[A-Z0-9]))"
    rf"|(?:(?<!\w){_HEDGE}[ ](?:the[ ])?(?:\w+[ ])?answer(?:[ ](?:is|was)\b|[ ]?:)"
    rf"|\banswer[ ](?:could|might|may)[ ](?:also[ ])?be\b){_NO_ANSWER}"
)
# What makes an answer of what stands before the joint; a hedged mark joins only another hedged one.
_BEFORE_OR = late(
    rf"(?:\banswers?[*_]{{0,3}}(?:[ ](?:is|was)\b|[ ]?:)|\beither\b|(?<!\w){_HEDGE}\b|{_MAY_BE}){_NO_ANSWER}{_SAID}",
    re.IGNORECASE,
)
_BEFORE_HEDGE = late(rf"(?:{_HEDGED}){_SAID}", re.IGNORECASE)
_CONNECTS = frozenset(
    f"{opened}{word}{closed}"
    for word in ("or", "else", "maybe", "perhaps", "possibly", "alternatively", "conceivably")
    for opened in ("", "(", "*", "**")
    for closed in ("", ",", ":", "**")
)
_NEAR, _FAR = 40, 110


def joined(text: str) -> str:
    """The text with an "or" for each mark that only offers another answer; all offsets stay as they were.

    >>> joined("Answer: C or Answer: D")
    'Answer: C         or D'
    >>> joined("Maybe the answer is Rome, maybe the answer is Oslo.")
    'Maybe the answer is Rome                   or Oslo.'
    """
    pieces: list[str] = []
    done, at = 0, text.find("nswer", 3)
    while at > 0:
        words = text[max(0, at - 32) : at - 1].lower().split()[-4:]
        if not _CONNECTS.isdisjoint(words) and (joint := _joint(text, at)) and joint[0] >= done:
            start, end = joint
            pieces += (text[done:start], " or ".rjust(end - start))
            done = end
        at = text.find("nswer", at + 1)
    return "".join((*pieces, text[done:])) if pieces else text


def _joint(text: str, at: int) -> tuple[int, int] | None:
    """From where to where the words reach that join the mark there to an answer before it."""
    for joint in _JOINT.finditer(text, max(0, at - _NEAR), at + _NEAR):
        if joint.start() < at < joint.end():
            first = _BEFORE_OR if joint["or"] else _BEFORE_HEDGE
            return (
                joint.span()
                if first.search(text, max(0, joint.start() - _FAR), joint.start())
                else None
            )
    return None
