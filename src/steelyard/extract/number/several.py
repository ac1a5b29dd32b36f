"""Whether a number is one of several: an alternative, an end of a range, an item of a list, a part of a time or a date."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.number.read import Number, find_numbers
from steelyard.text.number.value import same_value

_NEXT = r"[-+$]*\.?\d"
# What may wrap a number, before it and behind it: $7$, `7`, "7", (7), [7], **7**.
_OPENED, _CLOSED_BY = r"[$*_`\"'“‘(\[{}\\ ]{0,8}", r"[ \t*_%$`\"'”’)\]}\\]{0,8}"
_AFTER = late(
    rf"[ \t*_%]*(?:[-–][ ]?{_NEXT}|:\d|[ ]:[ ]\d|/\d"  # 3-4, 3:15, 3 : 4, 12/25/2024
    rf"|(?:of[ ])?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{{0,6}}\.?,?[ ]\d{{4}}(?!\d)"
    rf"|[,(;]?[ ]?(?:[^\W\d]{{1,12}}[ ]){{0,2}}or[ ](?:\w{{1,9}}[ ]?=[ ]?)?{_NEXT}"  # 3 dollars or 4 dollars
    # 3 to 4, 30 minutes to 40 minutes; but 12 cookies to 3 friends is one number
    rf"|to[ ]{_NEXT}|(?P<unit>[^\W\d]{{1,12}})[ ]to[ ]{_NEXT}[\d.,]{{0,30}}[ ](?P=unit)\b"
    rf"|,?[ ]?and[ ]{_NEXT}[\d.,]{{0,30}}[ ]?(?:$|[.\n);])"
    rf"|,[ ]?{_NEXT}[\d.]{{0,30}}(?=[ \t*_]*(?:[,)\]}}\n]|(?:and|or)\b|\.?\s*$)))",
    re.IGNORECASE,
)
_DIGIT = late(r"\d")
_BEFORE = late(
    r"\d[ \t*_%]*\bor[ \t*_$]*(?:\w{1,9}[ ]?=[ ]?)?[-+]?$|\bbetween[ ]$|\bbetween[ ](?:\S{1,12},[ ]){0,4}\S{1,12}[ ]and[ ]$",
    re.IGNORECASE,
)
_COULD_BE = late(  # It could be 6, it could be 9
    r"\b(?:could|might|may)[ ]be[ $*_]{0,4}[-+]?\d[\d.,]{0,15}[^.!?\n\d]{0,30}?"
    r"\b(?:could|might|may)[ ](?:also[ ])?be[ $*_]{0,4}\Z"
)
_CLOSING = frozenset(")]")
_PAIRED = late(r"[(\[][-$]?\d[\d.]{0,15},[ ]?[-$]{0,2}\Z")  # the second of [7, 8]
_SAME_NAME = late(
    r"(?<!\w)([a-z])[ ]?=[ ]?[-$]{0,2}\d[\d.]{0,9}[ ,;]{1,2}(?:and |or )?\1[ ]?=[ ]?\Z"
)  # x = 2 and x = 3
_RANGING = ("-", " to ", " to $")
# The second end of a range: 10-42, "about 40 to 42"; but "from 40 to 42" may tell of a change.
_RANGE = late(
    r"\d-\Z|(?:^|(?<!\d)[.:;(\n][ ]?|\b(?:is|are|be|about|around|roughly|approximately)[ ])[$]?\d[\d.,]{0,15}[ ]?%?[ ]to[ ]\$?\Z",
    re.IGNORECASE,
)
_CLAUSE = r"(?:[ ](?:it|that|the[ ]answer)[ ](?:could|might|may|would)[ ](?:also[ ])?be\b)?"  # or it could be 14
_OR = rf"\bor\b(?:[ ](?:maybe|perhaps|possibly|even|else)\b)?{_CLAUSE}{_OPENED}(?:\w{{1,9}}[ ]?=[ ]?)?{_OPENED}[-+]?"
_OR_BEFORE = late(rf"{_OR}\Z", re.IGNORECASE)
_OR_AFTER = late(
    rf"(?P<gap>(?:[^\d\n.;!?]|(?<=\^)\d|\.(?=\w)){{0,60}}?){_OR}(?=[$.]{{0,2}}\d)", re.IGNORECASE
)
_TO_BEFORE = late(rf"[ ]to[ ]{_OPENED}\Z", re.IGNORECASE)
_REMARK = late(r"\([^()]{0,60}\)|\\text(?:rm)?\{|\\quad")
# What a sum before "or" is worth is said again, and not offered: 20 - 5, or 15; 10% of 50 or 5.
_COMPUTED = late(
    r"(?:[\w)%$.][ ](?:[-+x/]|times|plus|minus|(?:divided|multiplied)[ ]by)[ ]|[×÷·][ ]?|\d[ ]?\*[ ]?"
    r"|(?:%|\b(?:percent|half|thirds?|quarters?|fourths?|fifths?|\d/\d{1,3}))[ ]of[ ])\$?\Z",
    re.IGNORECASE,
)
_HEDGED = late(
    r"\b(?:(?:could|might|may)[ ]be|either|maybe|perhaps|possibly)[ ][^.!?\n\d]{0,10}\Z",
    re.IGNORECASE,
)
_FEW_WORDS = late(r"(?![ ](?:an?|per|each|every)\b)(?:[ ][^\W\d]{1,15}){1,4}[ ]?")
_MARKS = " \t*_$`\"'“”‘’()[]{}\\,;"
_CONCLUDES = late(
    r"\W{0,4}(?:so|thus|therefore|hence|then|in total|altogether|finally|it|that|this)\b",
    re.IGNORECASE,
)
_SENTENCE = late(r"[.!?\n](?=\s)|\n")
# "rose from 10 to 12 dollars" tells of a change, "round 11.6 to 12 pens" of one number; "anywhere from 10 to 12 days" of none.
_CHANGES = late(
    r"\b(?:from|rais|ris[ei]|rose|increas|decreas|reduc|simplif|round|chang|add|grow|grew|go(?:es)?\b|went|f[ae]ll|drop|convert"
    r"|lower|cut|brought|bring|compar|ratio|scal|mov|turn|giv|gave|sen[dt]|multipl|rewr|correct|adjust|updat|truncat"
    r"|proportion|down\b|up\b|jump|climb|soar|surg|slip|slid|declin|plung|gain|expand|exten[ds]|advanc|shift|boost|doubl|improv)",
    re.IGNORECASE,
)
_ANYWHERE = late(
    r"\b(?:(?:any|some)where(?:[ ]in[ ]the[ ]range)?|rang(?:e|es|ing)|var(?:y|ies|ying)|takes?|lasts?|needs?)[ ]from[ ]\W{0,3}\Z",
    re.IGNORECASE,
)
#: After a number: the text or its line ends there.
CLOSED = frozenset(("", ".", "\n", ".\n", "\n\n"))


def closed(shown: str, number: Number) -> bool:
    """Whether the text or its line ends with the number, so that nothing after it can bear on it."""
    end = number.span[1]
    return shown[end : end + 2] in CLOSED


def is_one_of_several(shown: str, number: Number) -> bool:
    """Whether it is an alternative, an end of a range, an item of a list, a part of a time or a date."""
    start, end = number.span
    # What is beside it is a number, too; the last one of a text has none behind it.
    beside = (
        None
        if closed(shown, number) or not _DIGIT.search(shown, end, end + 80)
        else _AFTER.match(shown, end, end + 80)
    )
    if beside is not None:
        return (beside[0].lstrip(" \t*_%")[:1] == "," and "or" not in beside[0]) or not _said_again(
            shown, number, end
        )
    before = shown[max(0, start - 30) : start].lower()
    if shown[end : end + 1] in _CLOSING and _PAIRED.search(before):
        return True
    if before.endswith(_RANGING) and _RANGE.search(shown, max(0, start - 30), start):
        return True
    if before[-1:] in "= " and "=" in before and _SAME_NAME.search(before):
        return True
    if " be " in before and _COULD_BE.search(shown, max(0, start - 90), start):
        return True
    if ("or" in before or "between" in before) and _BEFORE.search(before):
        said = any(
            same_value(n.value, number.value)
            for n in find_numbers(shown, max(0, start - 30), start)
        )
        return not said and not (
            (first := last_before(shown, start)) and _is_computed(shown, first)
        )
    return is_offered(shown, number)


def _said_again(shown: str, number: Number, end: int) -> bool:
    """1/2 or 0.5 says one number twice."""
    other = next(find_numbers(shown, end, min(len(shown), end + 80)), None)
    return other is not None and same_value(other.value, number.value)


def is_offered(shown: str, number: Number) -> bool:
    """Whether another number of the same thing stands beside it, with "or" or "to" between the two.

    >>> text = "either 10 m/s or 12 m/s"
    >>> [is_offered(text, number) for number in find_numbers(text)]
    [True, True]
    """
    start, end = number.span
    before = shown[max(0, start - 24) : start].lower()
    if "or" in before and (joint := _OR_BEFORE.search(before)):
        at = start - len(before) + joint.start()
        return (first := last_before(shown, at)) is not None and _are_offered(
            shown, first, at, number
        )
    if " to " in before and (joint := _TO_BEFORE.search(before)):
        at = start - len(before) + joint.start()
        return (first := last_before(shown, at)) is not None and _is_range(shown, first, at, number)
    after = shown[end : end + 100]
    if ("or " in after or "or}" in after) and (ahead := _OR_AFTER.match(after)):
        second = next(
            find_numbers(shown, end + ahead.end(), min(len(shown), end + ahead.end() + 40)), None
        )
        return second is not None and _are_offered(shown, number, end + ahead.end("gap"), second)
    return False


def told_before(shown: str, number: Number) -> int:
    """Where the sentence with the number begins; 0 if it draws a conclusion from all that was told before.

    >>> text = "There are 206. Babies have 270 to 300 bones."
    >>> told_before(text, list(find_numbers(text))[-1])
    14
    """
    *_, stop = (None, *_SENTENCE.finditer(shown, max(0, number.span[0] - 400), number.span[0]))
    return 0 if stop is None or _CONCLUDES.match(shown, stop.end()) else stop.end()


def last_before(shown: str, at: int) -> Number | None:
    """The last number before that place, in the same sentence."""
    low = shown.find(" ", at - 90, at) + 1 if at > 90 else 0
    *_, first = (None, *find_numbers(shown, low, at))
    return first if first and not _SENTENCE.search(shown, first.span[1], at) else None


def _are_offered(shown: str, first: Number, at: int, second: Number) -> bool:
    """Whether the two are numbers of one thing: 10 apples or 12 apples; not 120 minutes or 2 hours, which says it twice."""
    if same_value(first.value, second.value) or _is_computed(shown, first):
        return False
    gap = shown[first.span[1] : at]
    unit = (_REMARK.sub("", gap) if "(" in gap or "\\" in gap else gap).strip(_MARKS)
    if not unit:
        return True
    bare = not shown[second.span[1] : second.span[1] + 3].lstrip(" *_$")[:1].isalnum()
    if bare and _HEDGED.search(shown, max(0, first.span[0] - 24), first.span[0]):
        return True  # It could be 4 hours or 86.
    after = shown[second.span[1] : second.span[1] + 60].lstrip(_MARKS)
    if after.startswith(unit) and not after[len(unit) :].lstrip("s")[:1].isalpha():
        return True
    return (
        is_money(shown, first) and is_money(shown, second) and _FEW_WORDS.fullmatch(gap) is not None
    )


def _is_computed(shown: str, number: Number) -> bool:
    """Whether a sum ends with it."""
    start = number.span[0]
    return _COMPUTED.search(shown, max(0, start - 20), start) is not None


def _is_range(shown: str, first: Number, at: int, second: Number) -> bool:
    """Whether the two are the ends of a range: 10 to 12 apples; but not if the words before it tell of a change."""
    if not first.value < second.value or at - first.span[1] > 20:
        return False
    unit, after = (
        shown[first.span[1] : at].strip(_MARKS),
        shown[second.span[1] : second.span[1] + 30].lstrip(_MARKS),
    )
    before = _SENTENCE.split(shown[max(0, first.span[0] - 80) : first.span[0]])[-1]
    if _ANYWHERE.search(before):
        return True
    if not (
        after[:1].isalpha() or after[:1] == "%" or is_money(shown, second)
    ) or not after.startswith(unit):
        return False
    return _CHANGES.search(before) is None


def is_money(shown: str, number: Number) -> bool:
    """Whether a currency sign stands before it that is no sign of mathematics: $7, but not $7$."""
    start = number.span[0]
    return (
        "$" in shown[max(0, start - 1) : start + 2]
        and shown[number.span[1] : number.span[1] + 1] != "$"
    )
