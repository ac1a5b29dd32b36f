"""What stands around a number and says whether it is one: denied, one of several, part of an expression."""

from __future__ import annotations

import re
import string
from decimal import Decimal

from steelyard.extract.number.several import CLOSED
from steelyard.text.claim.denial import clause_before, may_deny, number_denied
from steelyard.text.claim.marked import lightly_marked
from steelyard.text.late import late
from steelyard.text.number.measure import is_part_of_measure, whole
from steelyard.text.number.numeral import PLAIN
from steelyard.text.number.read import Number, find_numbers, read_number
from steelyard.text.wrap import unwrap

_PART_AFTER = late(
    r"\)?[ ]?\^(?!\{?\\circ)|\*\*[ ]?[\d({]|[ ]?(?:\\(?:sqrt|pi|cdot|times|pm|[dtc]?frac)|[√π])|[xyzni](?!\w)|\.?\\overline"
    r"|_\{?\d|[ ]?\*?[ ]?pi\b|\+(?=[\s.,]|$)"
    r"|k(?!\w)|['′](?=\d)|[\u0304\u0305]|\.\(\d{1,9}\)|x[0-9A-Fa-f]|[A-Za-ln-z]\d|[ ]{0,9}(?:[<≤≥]|>(?=[ ]))[ ]?[a-z](?![\w>])"
    r"|![!]?[ ]?(?:\$(?!\d)|\\|[/×·^]|\*(?!\*)|[-+][ ]?\d)|,[ ]?[-+]?(?:\\infty|∞)"
    r"|[ ]?±|[ ]?[*×·÷][ ]?[\d\\]|[ ]?\+[ ]?(?:[\d(\\]|[a-z](?!\w))|[ ]-[ ]\d"
)
_PART_BEFORE = late(
    r"(?:[±≠√]|(?:\\infty|∞),|\\bmod"
    r"|-\(|!=|\\pm|\\neq?|\\sqrt[ ]?\{?|\b(?:sqrt|log|ln|sin|cos|tan|exp)[ ]?\(|\b(?:sqrt|log|ln|sin|cos"
    r"|tan)|\\[dt]?binom[ ]?\{[^{}]{0,40}"
    r"|\\[dtc]?frac[ ]?\{[^{}]{0,40}|\\[dtc]?frac[ ]?\{.{0,40}\}[ ]?\{)[ ]?[-$]*$"
)
# 3,14 may be a decimal or a pair, 12:30 is a time, 2024-05-06 a date.
_GLUED = late(r"(?<![\d,])\d{1,15},$|\d:$|(?<!\d)\d{4}-\d{1,2}-$|\d[°'′]$|(?:\\infty|∞),$")
_UNIT = late(
    r"(?<=[A-Za-z}])\^\{?-?[1-9]\}?|\^\{?\\circ\}?|\\(?:mathrm|text|textrm|operatorname)\s?\{[^{}]{0,40}\}"
)
_EXPRESSION = late(
    r"\\(?:sqrt|pi|pm|neq?|overline|cdot|times|frac|log|ln|sin|cos|tan|infty)|[√π±≠^<>≤≥∈!+*/=]|\b(?:or|and|to|not|nor)\b"
    r"|^[xyznkiabpqrt](?!\w)"
)


#: Nothing but numbers, and not one alone: "15, 16, 17", "15 and 16", "maybe 15, maybe 16".
BARE_LIST = late(
    r"(?!\s*[-$]{0,2}\d{1,3}(?:\.\d{3})+,\d{1,2}\s*\Z)"
    r"[\s(\[{*]*(?:maybe )?[-$]{0,2}\d[\d.]*%?(?:(?:,(?!\d{3}(?!\d))|;|,?\s(?:and|or|&)\s)"
    r"\s{0,3}(?:and |or |maybe |or maybe )?[-$]{0,2}\d[\d.]*%?)+"
    r"[\s)\]}*.?!]*",
    re.IGNORECASE,
)
_ASKED = late(
    r"(?:^|[.!?\n][ ]{0,3})(?:so |or |hmm,? )?(?:is|was|are|were|could|would|might|can|did|does)\b[^.!?\n]{0,60}\Z",
    re.IGNORECASE,
)
_AFFIRMED = late(r"[?\s*_]{1,8}(?:yes|yep|yeah|indeed|correct|exactly)\b", re.IGNORECASE)
_COMPARED = late(r"(?:(?<![-=>\w/\"'])|(?<![<\w/\"'][a-z])(?<=\b[a-z]))[<>≤≥]=?[ ]?[-$]{0,2}\Z")
_SUMMING = frozenset("×·+÷*")
# 3 + 4, n+1; but "a +5" may be an article before a number with its sign.
_SUM = late(
    r"\d[ ]?[×·+÷][ ]?\Z|\d[ ]\*[ ]\Z"
    r"|(?<![A-Za-z'’])(?:[b-z]\)?[ ]?[×·+÷*][ ]?|a\)?(?:[×·+÷*][ ]?|[ ][×·+÷*][ ]))\Z"
)
_BEFORE_PART = frozenset("±≠√=(m\\{$ q")
# After an expression: 2π ≈ 6.28, 2π (approximately 6.28).
_NEARLY = late(
    r"[≈≃]|(?<=[ ])~(?=[ ]?[-$]{0,2}\d)|\([ ]?(?:approximately|approx\.?|about|roughly|around)[ ]",
    re.IGNORECASE,
)
_APPLIED = late(r"[A-Za-z]\($|(?:log|lg|ln)_?\{?\w{0,3}\}?[ ({]$")
_STATEMENT = late(
    r"\n|;|\.\s|\b(?:because|since|check|verify|where|when|if|for|given|using|assuming|not)\b",
    re.IGNORECASE,
)
_STATED_WITHIN = 400
_CUT_OFF = late(r"(?:[^\n=.;]|\.(?=\d)){0,40}=[\s$?_*({\\\[]{0,8}\Z")
_BREAKS = frozenset((". ", "; ", ": "))
_LETTERS = frozenset(string.ascii_letters) - {"p"}  # 2 pi
_LEADS = ("(", "!=", "sqrt", "log", "ln", "sin", "cos", "tan")
_JOINTS = (",", ":", "-", "°", "'", "′")


def ends_statement(shown: str, number: Number) -> bool:
    """Whether the text ends with "… is 42": then only a denial can bear on the number, as nothing else is beside it."""
    start, end = number.span
    return shown.endswith(_STATED, 0, start) and shown[end:] in _LAST


_STATED = (" is ", " is $", " are ")
_LAST = frozenset(("", ".", "\n", ".\n"))


def denied(shown: str, number: Number) -> bool:
    """Whether the text says that it is not this number."""
    start, end = number.span
    start -= shown[start - 1 : start] == "+"  # "not +8"
    while start > 0 and shown[start - 1] in "-$*_`(":
        start -= 1
    before = clause_before(shown, start)
    # Most clauses have no word that denies; "(was 7" and "whether it was 7" need none.
    if "(" in before or "[" in before or "whether" in before or may_deny(_in_words(before)):
        return number_denied(shown, start, end)
    return number_denied(shown[start:], 0, end - start)


def _in_words(clause: str) -> str:
    """The clause with its words set apart; most have no marks that would have to be taken out."""
    return clause if clause.replace(" ", "").isalnum() else lightly_marked(clause)


def is_compared(shown: str, number: Number) -> bool:
    """Whether it is only a bound: > 5 is no number, but -> 5 is one."""
    if "<" not in shown and ">" not in shown and shown.isascii():
        return False
    start = number.span[0]
    return _COMPARED.search(shown, max(0, start - 6), start) is not None


def is_asked(shown: str, number: Number) -> bool:
    """Whether the text only asks for it: "Is it 42?", without a yes."""
    start, end = number.span
    if shown[end : end + 1] != "?" or _AFFIRMED.match(shown, end):
        return False
    return _ASKED.search(shown, max(0, start - 80), start) is not None


def is_part(shown: str, number: Number) -> bool:
    """Whether it belongs to an expression of another value, or to a quantity of several parts: 2√3, x ≠ 5, 5 + 3i, 5 ft 10 in."""
    start, end = number.span
    part = None if _is_apart(shown, end) else _PART_AFTER.match(shown, end, end + 20)
    if part is not None and not (part[0][:2] == "**" and _is_bold(shown, start)):
        return True
    before = shown[max(0, start - 60) : start]
    if before[-1:] in _JOINTS:
        return shown[end : end + 1] != "," and _GLUED.search(before) is not None
    italic = before[-2:] == " *" and shown[end : end + 1] == "*"
    if before[-2:].strip()[-1:] in _SUMMING and not italic and _SUM.search(before):
        return True
    if before[-1:] in _BEFORE_PART and _may_lead(before) and _PART_BEFORE.search(before):
        return True
    return is_part_of_measure(shown, number)


def _is_apart(shown: str, end: int) -> bool:
    """Whether a word, or the end of the sentence or the text, follows the number: neither goes on with an expression."""
    after = shown[end : end + 2]
    if after in CLOSED or after in _BREAKS:
        return True
    return after[:1] == " " and after[1:] in _LETTERS


def _may_lead(before: str) -> bool:
    """Whether what stands before a number may end with an operator or a function; in a plain text few words do."""
    return "\\" in before or not before.isascii() or before.rstrip(" $-").endswith(_LEADS)


def _is_bold(shown: str, start: int) -> bool:
    """Whether bold type is open there, so that the next two asterisks close it and raise nothing to a power."""
    return shown.count("**", shown.rfind("\n", 0, start) + 1, start) % 2 == 1


def is_cut_off(shown: str, number: Number) -> bool:
    """Whether the text breaks off before the value of what the number belongs to: 20 - 7 =."""
    return "=" in shown[-9:] and _CUT_OFF.match(shown, number.span[1]) is not None


def valued(shown: str, number: Number, end: int) -> int:
    """Where the value of the expression begins that the number belongs to, in its statement; 0 if none is given.

    1/3 ≈ 0.333 and 5280 feet ≈ 1.6 km begin with the answer itself.
    """
    if not ("≈" in shown or "~" in shown or "≃" in shown or "(a" in shown or "(r" in shown):
        return 0
    end = min(end, number.span[1] + _STATED_WITHIN)
    stop = _STATEMENT.search(shown, number.span[1], end)
    found = list(_NEARLY.finditer(shown, number.span[1], stop.start() if stop else end))
    if not found:
        return 0
    near = next((sign for sign in reversed(found) if sign[0][0] != "("), found[0])
    before = shown[max(0, number.span[0] - 12) : number.span[0]]
    expressed = is_part(shown, number) or shown[number.span[1]] == "(" or _APPLIED.search(before)
    return near.end() if expressed else 0


def in_box(shown: str, start: int, end: int) -> Number | None:
    """The one number that a box holds, with at most a unit; after the last "=" or "≈" if it has one."""
    if PLAIN.fullmatch(shown, start, end):
        return Number(Decimal(shown[start:end].replace(",", "")), (start, end))
    start, end = unwrap(shown, (max(start, shown.rfind("=", start, end) + 1), end))
    near = shown.rfind("≈", start, end)
    if near >= 0 and read_number(shown[start:near]) is None:
        start, end = unwrap(shown, (near + 1, end))
    elif near >= 0:
        start, end = unwrap(shown, (start, near))
    numbers = [number for number, _ in zip(find_numbers(shown, start, end), range(3), strict=False)]
    number = whole(shown, numbers[0]) if numbers else None
    if number is None or number.span[1] < numbers[-1].span[1]:
        return None
    before, after = shown[start : number.span[0]], shown[number.span[1] : end]
    before = "" if before.strip() == "+" else before  # +80 is 80
    rest = _UNIT.sub("", after.replace("\\%", "%").lstrip("% "))
    return None if _EXPRESSION.search(rest) or _EXPRESSION.search(before) else number
