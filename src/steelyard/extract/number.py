r"""The number that a response gives as its answer.

It is the first number after the last mark ("Answer:", ####, \boxed{}, "the answer is"), or the one after the
last "=" where one follows; without a mark, the last number. A number that is denied is passed over.
"""

from __future__ import annotations

import re
from typing import Literal

from steelyard.errors import SpecError
from steelyard.extract import markers
from steelyard.extract.found import Found, Trace
from steelyard.registry import EXTRACTORS
from steelyard.text.denial import denied_after, denied_before
from steelyard.text.fold import fold_in_place
from steelyard.text.number import Number, find_numbers, last_number
from steelyard.text.visible import visible

Mode = Literal["marked", "last"]

# Where the answer ends and its justification begins.
_ASIDE = re.compile(r"\n|;|\.\s|\b(?:because|since|check|verify|not)\b|\((?=[a-z])", re.IGNORECASE)
_UNIT_DENIED = re.compile(r"[ \t]?[^\W\d]{1,12} (?:is|are) (?:wrong|incorrect|not)\b", re.IGNORECASE)
_OR_AFTER = re.compile(r"[ \t*_%$]*\bor[ \t*_$]+[-+]?\.?\d", re.IGNORECASE)
_OR_BEFORE = re.compile(r"\d[ \t*_%]*\bor[ \t*_$]*[-+]?$", re.IGNORECASE)
# 3-4, 3 to 4; and 3, 4 where nothing but a list goes on.
_LISTED = re.compile(
    r"[ \t*_]*(?:(?:-|\bto[ \t]+)[-+$]*\.?\d"
    r"|,[ \t]?[-+$]*\.?\d[\d.]{0,30}(?=[ \t*_]*(?:[,)\]\n]|(?:and|or)\b|\.?\s*$)))",
    re.IGNORECASE,
)


@EXTRACTORS.register("number")
def find_number(text: str, *, mode: Mode = "marked", trace: Trace | None = None) -> Found | None:
    r"""The answer's number, verbatim with its place; its exact value is for ``read_number`` to tell.

    >>> find_number("The total is 20 + 22 = 42")
    Found(value='42', span=(23, 25), stage='last number')
    >>> find_number("Answer: 3 apples, not 4").value
    '3'
    """
    found = find_value(text, mode=mode, trace=trace)
    return found and Found(text[found[0].span[0] : found[0].span[1]], found[0].span, found[1])


def find_value(text: str, *, mode: Mode = "marked", trace: Trace | None = None) -> tuple[Number, str] | None:
    """The answer's number with its exact value, and the stage that found it."""
    if mode not in {"marked", "last"}:
        raise SpecError(f"mode is 'marked' or 'last', not {mode!r}", path="mode")
    shown = fold_in_place(visible(text))
    if mode == "last":
        number = last_number(shown)
        found = (number, "last number") if number else None
    else:
        found = _find(shown)
    if trace is not None:
        note = (
            f"{text[found[0].span[0] : found[0].span[1]]!r} by {found[1]}"
            if found
            else "no number is committed to"
        )
        trace.add("number", note, found[0].span if found else None)
    return found


def _find(shown: str) -> tuple[Number, str] | None:
    end = len(shown)
    for mark in markers.marks(shown, hashes=True):
        if number := _after(shown, mark.end(), end):
            return None if _one_of_several(shown, number) else (number, "mark")
        if mark.lastgroup == "colon" and shown[mark.end() : end].strip(" \t\n*_`$"):
            return None  # it has committed, but to no number
        end = mark.start()  # there is no number behind this mark
    number = _last(shown)
    return (number, "last number") if number else None


def _after(shown: str, start: int, end: int) -> Number | None:
    """The first number that is not denied, or the one after the last "=" of the same statement."""
    for number in find_numbers(shown, start, end):
        if _denied(shown, number):
            continue
        aside = _ASIDE.search(shown, number.span[0], end)
        close = aside.start() if aside else end
        sign = shown.rfind("=", start, close)
        if sign > number.span[0]:
            return next(find_numbers(shown, sign, close), number)
        return number
    return None


def _last(shown: str) -> Number | None:
    number = last_number(shown)
    if number is None or not (_denied(shown, number) or _offered(shown, number)):
        return number
    kept = [n for n in find_numbers(shown) if not _denied(shown, n) and not _offered(shown, n)]
    return kept[-1] if kept else None


def _denied(shown: str, number: Number) -> bool:
    start, end = number.span
    return (
        denied_before(shown, start) or denied_after(shown, end) or _UNIT_DENIED.match(shown, end) is not None
    )


def _offered(shown: str, number: Number) -> bool:
    """3 or 4."""
    start, end = number.span
    after, before = shown[end : end + 12], shown[max(0, start - 12) : start]
    return ("or" in after and _OR_AFTER.match(after) is not None) or (
        "or" in before and _OR_BEFORE.search(before) is not None
    )


def _one_of_several(shown: str, number: Number) -> bool:
    """3 or 4, 3-4 and 3,4 commit to no number."""
    return _offered(shown, number) or _LISTED.match(shown, number.span[1]) is not None
