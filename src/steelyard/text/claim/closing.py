"""Whether a text closes with alternatives: "So it's Perth or Sydney." What it told of them before then decides nothing.

Read in the form of ``marked.py``.
"""

from __future__ import annotations

from steelyard.text.claim.marked import ASKED, COLON, COMMA, DASH, STOP, WORD
from steelyard.text.late import late

# What begins a sentence that gives the answer.
_LEAD = (
    rf"(?:(?:so|thus|hence|therefore|overall|in short|in sum|all in all|in end|in conclusion|on balance) (?:{COMMA} )?)?"
    rf"(?:(?:its|it is|it was|it must be|it has to be|it could be|it might be|that leaves|put down|write down|id say"
    rf"|i would say|i say|id go with|i would go with|ill say|id guess|i think its|i think it is|i guess"
    rf"|(?:my|our) (?:{WORD} )?(?:answer|guess) is|answer is"
    rf"|(?:any|either|one) of (?:these|them|those)(?: {WORD}){{1,10}} {COLON}) "
    rf"|(?<=so )|(?<=so {COMMA} ))(?:either )?(?!\S+(?:ed|ing|er) (?!or ))"
)
_LEADS = late(
    rf"(?:^|[{STOP}{ASKED}] ){_LEAD}(?:(?:(?![{STOP}{ASKED}{COLON}])\S+ ){{0,10}}(?:or |{COMMA} ))?$"
)
_ENDS = late(
    rf"(?: (?![{STOP}{ASKED}{COLON}{DASH}]|(?:who|that|which|not|nor|never) )\S+){{0,14}}(?: {STOP})*\s*$"
)
_BEHIND, _AHEAD = 200, 160


def closes_open(marked: str, start: int, end: int) -> bool:
    """Whether the last sentence of the text gives the mention there as one of several.

    >>> closes_open(f"perth is big {STOP} so its perth or hobart {STOP}", 22, 27)
    True
    """
    if end + _AHEAD < len(marked):
        return False
    before, after = marked[max(0, start - _BEHIND) : start], marked[end:]
    if " or " not in after and " or " not in before[-90:]:
        return False
    return _ENDS.match(after) is not None and _LEADS.search(before) is not None
