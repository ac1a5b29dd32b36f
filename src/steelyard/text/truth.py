"""Whether the yes or no of a text is its answer: in "Yes, there is no doubt" the "no" belongs to the doubt.

Read in the form of ``marked.py``.
"""

from __future__ import annotations

from steelyard.text.grammar import phrases
from steelyard.text.late import late
from steelyard.text.marked import MARK

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


def overruled(marked: str, want: str) -> bool:
    """Whether a marked text answers with the opposite, and has ``want`` (yes or no) only in another sense.

    >>> overruled("yes \ue001 there is no doubt \ue000", "no"), overruled("no \ue001 there is no doubt \ue000", "no")
    (True, False)
    """
    if want == "no" and _NO_AT_ALL.search(marked) and not _NO.search(_NO_AT_ALL.sub("", marked)):
        return True
    return _SAYS[OPPOSITES[want]].search(marked) is not None and _SAYS[want].search(marked) is None
