"""Whether the yes or no of a text is its answer: in "Yes, there is no doubt" the "no" belongs to the doubt.

Read in the form of ``marked.py``.
"""

from __future__ import annotations

from steelyard.text.claim.marked import COMMA, DASH, MARK, STOP
from steelyard.text.grammar import phrases
from steelyard.text.late import late

OPPOSITES = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
# An answer opens its clause, or follows "is" and the like; and then its clause ends, or tells why.
_LED = rf"(?:^|{MARK} |(?<!\S)(?:{phrases('lead up to yes or no')}) )"
_ANSWERED = rf"(?= {MARK}|$| $| {phrases('follow yes or no')}(?= ))"
DECIDED = frozenset(("yes", "no"))
_SAYS = {
    "yes": late(rf"{_LED}yes{_ANSWERED}"),
    "no": late(rf"{_LED}no{_ANSWERED}"),
}

# "Both are Danish, no doubt."
_NO_AT_ALL = late(rf"(?<!\S)no {phrases('no at all')}(?!\S)")
_NO = late(r"(?<!\S)no(?!\S)")
# What the writer does not have, or cannot answer with: "I have no information", "for a simple yes"
_WITH = r"(?<!\S)(?:with|for|of) (?:simple |plain |clear |definite |straight |firm )?"
_NO_ANSWER = {
    "yes": late(rf"{_WITH}yes(?!\S)"),
    "no": late(
        rf"{_WITH}no(?!\S)|(?<!\S)(?:have|has|had|there is|there are|theres|find|found|see|with) no \S"
    ),
}
_TURN = late(
    rf" (?:[{COMMA}{STOP}{DASH}] )?but (?:{COMMA} )?(?:actually |in fact )?(?P<other>yes|no|true|false)(?= {MARK}|$| $)"
)


def overruled(marked: str, want: str) -> bool:
    """Whether a marked text answers with the opposite, and has ``want`` (yes or no) only in another sense.

    >>> overruled("yes \ue001 there is no doubt \ue000", "no"), overruled("no \ue001 there is no doubt \ue000", "no")
    (True, False)
    """
    if want == "no" and _NO_AT_ALL.search(marked) and not _NO.search(_NO_AT_ALL.sub("", marked)):
        return True
    if _SAYS[want].search(marked) is not None:
        return False
    return (
        _SAYS[OPPOSITES[want]].search(marked) is not None
        or _NO_ANSWER[want].search(marked) is not None
    )


def is_turned(want: str, after: str) -> bool:
    """Whether the opposite takes its place at once: "many would say no, but yes".

    >>> is_turned("no", " \ue001 but yes \ue000")
    True
    """
    turn = _TURN.match(after)
    return turn is not None and turn["other"] == OPPOSITES[want]
