"""What bears on a mention from beside another one: a denial and its reason, a contrast, a name in passing.

Read in the form of ``marked.py``.
"""

from __future__ import annotations

from steelyard.text.claim.denial import may_deny
from steelyard.text.claim.marked import COLON, COMMA, DASH, MARK, STOP, WORD
from steelyard.text.late import late

# "It's not Sydney, although Sydney …", "not Mozart: Mozart died …"
_REASON = late(
    rf"(?:^| )(?:although|though|even though|since|as|because|while|{COLON})(?: {WORD}){{0,2}} $"
)
_DENIED_JUST = late(
    rf"(?:^| )(?:not|never|cannot|(?:is|was|ca|could|did|do|does|are|were)nt)(?: {WORD}){{1,6}}$"
)
# "It was not Magellan who did it. Magellan died …": it opens the next sentence.
_REMARK = late(rf"(?: (?!{STOP})\S+){{0,12}} {STOP} ")
_RIGHT_AFTER_ALL = late(
    r" (?:is|was|are|were|did|does|has) (?:it |so |indeed|actually|in fact|correct|right|answer|first|one |$)"
)
# "Perth was never the drummer; Sydney was."
_CONTRASTED = late(
    rf" (?:(?:is|was|are|were|did|does) (?:not|never)|(?:is|was|are|were|did|does)nt|never)(?: {WORD}){{1,8}}"
    rf" (?:[{STOP}{COMMA}{DASH}] )(?:but )?(?:{WORD} ){{1,4}}(?:is|was|are|were|did|does)(?: {MARK}|$| $)"
)
# "They joked about Perth": it is named, and nothing is claimed of it.
_ONLY_NAMED = late(r" (?:about|like|against|alongside|mentioned|mentions|mention) $")


def gives_reason(marked: str, denied: int, start: int, end: int) -> bool:
    """Whether the mention there only stands in the reason for a denial of the one that ends before it, or in a remark on that."""
    between = marked[denied:start]
    remark = _REMARK.fullmatch(between) is not None and _RIGHT_AFTER_ALL.match(marked, end) is None
    if not remark and (len(between) > 60 or STOP in between or not _REASON.search(between)):
        return False
    before = marked[max(0, denied - 90) : denied]
    return may_deny(before) and _DENIED_JUST.search(before) is not None


def contrasted(marked: str, end: int) -> bool:
    """Whether the text says of it what is not so, and of what it is so instead."""
    return _CONTRASTED.match(marked[end : end + 120]) is not None


def only_named(marked: str, start: int) -> bool:
    """Whether the mention there is one in passing."""
    return _ONLY_NAMED.search(marked[max(0, start - 20) : start]) is not None
