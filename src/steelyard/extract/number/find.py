r"""The number that a response gives as its answer.

It is the first number after the last mark ("Answer:", ####, \boxed{}, "the answer is"), or the one after the
last "=" where one follows; without a mark, the last number. A number that is denied is passed over; one of
several, a range and a part of an expression commit to nothing.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from decimal import Decimal
from itertools import islice
from typing import Literal

from steelyard.errors import SpecError
from steelyard.extract import markers
from steelyard.extract.asserted import is_conditional
from steelyard.extract.box import without_denied_boxes
from steelyard.extract.ending import ending_number
from steelyard.extract.found import Found, Trace
from steelyard.extract.number.quantity import (
    BARE_LIST,
    denied,
    ends_statement,
    in_box,
    is_asked,
    is_compared,
    is_cut_off,
    is_part,
    valued,
)
from steelyard.extract.number.refusal import is_refusal
from steelyard.extract.number.restated import before_reason, exact
from steelyard.extract.number.several import closed, is_offered, is_one_of_several, told_before
from steelyard.extract.number.supposed import supposition
from steelyard.extract.retraction import without_retracted
from steelyard.registry import EXTRACTORS
from steelyard.text.claim.denial import taken_back
from steelyard.text.correction.settled import settled
from steelyard.text.fold import fold_in_place
from steelyard.text.late import late
from steelyard.text.number.measure import whole
from steelyard.text.number.numeral import PLAIN
from steelyard.text.number.read import Number, find_numbers, last_number
from steelyard.text.number.typeset import plainly_set
from steelyard.text.number.value import Value, same_value
from steelyard.text.unseen import in_whole, without_unseen
from steelyard.text.wrap import Span, closing_brace

Mode = Literal["marked", "last"]

# Where the answer ends and its justification begins.
_ASIDE = late(
    r"\n|;|\.\s|\b(?:because|since|check|verify|where|when|if|for|given|with|using|assuming|not)\b"
    r"|(?<![×*·+/÷\-\d])(?<![×*·+/÷\-] )\(",
    re.IGNORECASE,
)
# A plain number with which the text ends: nothing stands between it and its mark, or after it, that could bear on it.
_PLAINLY = late(rf"[ \t]{{0,8}}({PLAIN.pattern})\.?\s{{0,8}}\Z")
_LINK = late(r"\]\((?:https?://|www\.|#|/)[^\s()]{0,400}\)")
_DIGIT = late(r"[0-9]")
_MANY = 200  # of a response's marks; more is not an answer but an attack
_MARKED_BEFORE = late(
    r"[ ](?:is|was)[ ](?:the|my)[ ](?:(?:final|correct|right)[ ]){0,2}answer\b(?![ ]?:)"
)
_BREAK = late(r"[.!?]\s|\n")
# 42 if x is even, and 43 otherwise; 4 if n is even, 5 if n is odd
_UNLESS = late(
    r"[^.\n]{1,60}\botherwise\b"
    r"|[ ](?:if|when)\b[^.\n]{1,60}?[,;][ ](?:(?:and|or|but)[ ])?[-$]{0,2}\d[\d.,]{0,15}[ ](?:if|when)\b",
    re.IGNORECASE,
)
# "12 × 3 = 36, and 36 + 4 = 40" goes on with its sum.
_SEVERAL = late(r"\b(?:or|and)\b(?!\s+[\d,.]+\s*[-+*/×÷])", re.IGNORECASE)
# What a mark may give instead of a number: the numbers after it are only its reasons.
_NO_NUMBER = late(
    r"[ \t*_$\n]*(?:undefined|unknown|indeterminate|undetermined|none\b(?! of)|n/a|no (?:answer|solution|real|such)"
    r"|not (?:determin|enough|defined"
    r"|possible|known)|can(?:not|['’]t| not)\b|impossible|insufficient"
    r"|infinit(?:y|ely|e solutions|e number|e(?=[*_$]{0,4}(?:[.!\n]|\Z)))"
    r"|there (?:is|are) (?:no|not)\b"
    r"|i (?:can|do)(?:not|n['’]t| not|['’]t)\b)",
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


def find_value(
    text: str, *, mode: Mode = "marked", trace: Trace | None = None
) -> tuple[Number, str] | None:
    """The answer's number with its exact value, and the stage that found it."""
    if mode not in {"marked", "last"}:
        raise SpecError(f"mode is 'marked' or 'last', not {mode!r}", path="mode")
    if trace is None and text.isascii() and _DIGIT.search(text) is None:
        return None
    if mode == "marked" and trace is None and (ending := ending_number(text)) is not None:
        return ending
    seen = without_unseen(text)
    found = _found(seen, mode)
    if found and len(seen) < len(text):
        found = (found[0]._replace(span=in_whole(text, found[0].span)), found[1])
    if trace is not None:
        note = (
            f"{text[found[0].span[0] : found[0].span[1]]!r} by {found[1]}"
            if found
            else "no number is committed to"
        )
        trace.add("number", note, found[0].span if found else None)
    return found


def _found(text: str, mode: Mode) -> tuple[Number, str] | None:
    shown = fold_in_place(
        plainly_set(_LINK.sub(_blanked, settled(text)) if "](" in text else settled(text))
    )
    if mode == "marked":
        shown = without_denied_boxes(shown)
        found = _find(shown)
        left = without_retracted(shown, found[0].span[1]) if found else shown
        return found if left is shown else _find(left)
    number = last_number(shown)
    return (number, "last number") if number else None


def _blanked(link: re.Match[str]) -> str:
    return " " * len(link[0])


def _find(shown: str) -> tuple[Number, str] | None:
    end, spoilt = len(shown), len(shown)
    for mark in _marks(shown):
        start, boxed = mark.end(), mark[0][:1] == "\\"
        close = closing_brace(shown, start) if boxed else None
        if close is not None and shown[start:close].strip():
            number = (
                None
                if markers.is_one_of_boxes(shown, mark.start())
                else in_box(shown, start, close)
            )
            return (number, "boxed") if number else None
        if number := _after(shown, start, end):
            if number.span[0] - start > 4 and _NO_NUMBER.match(shown, start):
                return None
            if not _spoilt(shown, start, number):
                return (number, "mark")
            if mark.lastgroup == "colon" or mark[0][:1] == "#":
                return None  # it has committed, but to no single number
            spoilt = start if spoilt == len(shown) else spoilt
        elif markers.NONE.match(shown, start) or (
            mark.lastgroup == "colon" and shown[start:end].strip(" \t\n*_`$")
        ):
            return None  # it has committed, but to no number
        end = mark.start()  # there is no answer behind this mark
    return _unmarked(shown, spoilt)


def _marks(shown: str) -> Iterable[re.Match[str]]:
    if not (
        "nswer" in shown
        or "NSWER" in shown
        or "\\" in shown
        or "####" in shown
        or "<answer>" in shown
    ):
        return ()  # most texts have none
    return islice(markers.marks(shown, hashes=True), _MANY)


def _unmarked(shown: str, spoilt: int, suppositions: int = 3) -> tuple[Number, str] | None:
    if named := _named_after(shown):
        return (named, "mark")
    number = last_number(shown)
    if number is None or ("nswer" in shown and is_conditional(shown, number.span[0])):
        return None
    number = whole(shown, number)
    if "nswer" in shown and (supposed := supposition(shown, number.span[0])):
        return _unsupposed(shown, spoilt, supposed, suppositions) if suppositions else None
    if spoilt == len(shown) and ends_statement(shown, number) and not denied(shown, number):
        return (number, "last number")
    number = None if is_cut_off(shown, number) else _last(shown, number)
    if number is None or is_refusal(shown, number):
        return None
    if spoilt <= number.span[0] and not _BREAK.search(shown, spoilt, number.span[0]):
        return None  # the last one stands in the sentence that has committed to no single number
    return (number, "last number")


def _unsupposed(
    shown: str, spoilt: int, supposed: tuple[Span, Value], more: int
) -> tuple[Number, str] | None:
    """The last number that does not follow from a supposition; if that is what was supposed, it is no answer either."""
    (start, end), value = supposed
    found = _unmarked(shown[:start] + " " * (end - start) + shown[end:], spoilt, more - 1)
    return None if found is None or same_value(found[0].value, value) else found


def _named_after(shown: str) -> Number | None:
    """The number that stands before the words that mark it: 42 is the answer."""
    if "nswer" not in shown:
        return None
    for mark in reversed(list(_MARKED_BEFORE.finditer(shown))[-_MANY:]):
        start = max(shown.rfind("\n", 0, mark.start()) + 1, mark.start() - 60)
        *_, number = (None, *find_numbers(shown, start, mark.start()))
        if number and not shown[number.span[1] : mark.start()].strip("*_`$%)} "):
            refused = denied(shown, number) or taken_back(shown, number.span[0])
            return (
                None
                if refused or is_one_of_several(shown, number) or is_part(shown, number)
                else number
            )
    return None


def _after(shown: str, start: int, end: int) -> Number | None:
    """The first number that is not denied, or the one after the last "=" of the same statement."""
    if end == len(shown) and (plain := _PLAINLY.match(shown, start)):
        return Number(Decimal(plain[1].replace(",", "")), plain.span(1))
    for number in find_numbers(shown, start, end):
        if denied(shown, number):
            continue
        if closed(shown, number):
            return number
        aside = _ASIDE.search(shown, number.span[0], end)
        close = aside.start() if aside else end
        sign = shown.rfind("=", start, close)
        if sign > number.span[0]:
            number = next(find_numbers(shown, sign, close), number)
        number = whole(shown, number)
        if value := valued(shown, number, end):
            return next(find_numbers(shown, value, end), number)
        return number
    return None


def _spoilt(shown: str, start: int, number: Number) -> bool:
    """Whether what follows the mark is no single number: several, a range, an expression."""
    if number.span[0] - start < 2 and _PLAINLY.match(shown, start):
        return False
    if is_one_of_several(shown, number) or is_part(shown, number) or is_cut_off(shown, number):
        return True
    if is_compared(shown, number) or (
        ("otherwise" in shown or "if " in shown or "when " in shown)
        and _UNLESS.match(shown, number.span[1])
    ):
        return True
    # x = 3 or x = 4: an alternative between two equations
    sign = shown.rfind("=", start, number.span[0])
    first = shown.find("=", start, number.span[0])
    return first < sign and _SEVERAL.search(shown, first, sign) is not None


def _last(shown: str, number: Number) -> Number | None:
    """The last number, or the last that is neither denied nor one of several."""
    if len(shown) <= 60 and not shown[:1].isupper() and BARE_LIST.fullmatch(shown):
        return None
    if is_compared(shown, number):
        given = before_reason(shown, number)
        return (
            None
            if given is None or denied(shown, given) or is_one_of_several(shown, given)
            else given
        )
    if "?" in shown and is_asked(shown, number):
        return None
    if not (denied(shown, number) or is_one_of_several(shown, number)):
        return None if is_part(shown, number) else exact(shown, number)
    # Beside "7 or 8" no other number of its sentence is the answer, and none at all where that is the conclusion.
    end = told_before(shown, number) if is_offered(shown, number) else len(shown)
    free = (
        n
        for n in find_numbers(shown, 0, end)
        if not denied(shown, n) and not is_one_of_several(shown, n)
    )
    kept = deque(free, maxlen=1)
    return kept[-1] if kept and not is_part(shown, kept[-1]) else None
