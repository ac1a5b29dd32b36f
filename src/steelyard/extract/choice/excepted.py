"""The one letter that is left out when all others are struck out: "All but C are wrong.", "None except A works."."""

from __future__ import annotations

import functools
import re

from steelyard.extract.choice.conclusion import is_ours
from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.claim.denial import denied_before, taken_back
from steelyard.text.late import late

_BUT = (
    r"[ ](?:but|except(?:[ ]for)?|other[ ]than|apart[ ]from)[ ](?:option[ ]|choice[ ]|answer[ ])?"
)
_ALL = r"(?:all|everything|every(?:[ ]other)?[ ](?:option|choice|answer))(?:[ ](?:options|choices|answers|of[ ]them))?"
_NONE = r"(?:none|nothing|no[ ](?:option|choice|answer))(?:[ ]of[ ](?:them|these|the[ ](?:options|choices|answers)))?"
_OUT = r"(?:wrong|incorrect|false|excluded|eliminated|ruled[ ]out|out|impossible|rejected)"
_DOUBTED = late(r"\b(?:doubt|deny|not[ ]true|false|unclear)\b(?:[ ]that)?[ ]+\Z", re.IGNORECASE)
_STRIKES = r"(?:rules?[ ]out|eliminates?|excludes?|rejects?|contradicts?)"
_IS_OUT = rf"(?:is|are|(?:can|could|must)[ ]be|ha(?:s|ve)[ ]been)[ ](?:\w+ly[ ])?{_OUT}\b"
_WORKS = r"(?:works|fits|satisf|match|holds|is[ ](?:correct|right|true|possible|left))"


@functools.lru_cache(maxsize=32)
def _patterns(one: str) -> tuple[re.Pattern[str], ...]:
    return (
        re.compile(rf"(?i:\b{_ALL}{_BUT})({one})(?!\w)[ ](?i:{_IS_OUT})"),
        re.compile(rf"(?i:\b{_STRIKES}[ ]{_ALL}{_BUT})({one})(?=[ ]*[.!,;\n]|[ ]*\Z)"),
        re.compile(rf"(?i:\b{_NONE}{_BUT})({one})(?!\w)[ ](?i:{_WORKS})"),
    )


def _is_denied(plain: str, start: int) -> bool:
    if denied_before(plain, start) or taken_back(plain, start):
        return True
    return _DOUBTED.search(plain, max(0, start - 40), start) is not None


def excepted(plain: str, use: Patterns) -> Found | None:
    """The letter of the last such sentence, if all of them leave the same one."""
    if (
        " but " not in plain
        and " except " not in plain
        and " other than " not in plain
        and " apart from " not in plain
    ):
        return None
    found = sorted(
        (m for pattern in _patterns(use.one.pattern) for m in pattern.finditer(plain)),
        key=lambda m: m.start(1),
    )
    if len({m[1] for m in found}) != 1 or plain[found[-1].end() :].lstrip(" ")[:1] == "?":
        return None
    # Somebody else's, denied, or not the last word on it.
    if not all(is_ours(plain, m.start()) and not _is_denied(plain, m.start()) for m in found):
        return None
    if use.standing.search(plain, found[-1].end()):
        return None
    return Found(found[-1][1], found[-1].span(1), "left over")
