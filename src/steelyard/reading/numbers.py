"""Read a number.

A number may be joined to another one ("41 or 42") or be part of an expression ("2π", "20 + x").
Patterns look at no more than 40 characters on either side of it.
"""

from __future__ import annotations

import re
from typing import Literal

from steelyard.errors import SpecError
from steelyard.reading.cuts import visible_text
from steelyard.reading.found import Found, Trace
from steelyard.reading.marks import Mark, mark_name
from steelyard.reading.outcome import MARKED, Reading, as_found, excerpt, found, missing, unclear
from steelyard.reading.rules import read, read_marked
from steelyard.registry import EXTRACTORS
from steelyard.values.normal import LETTERS, WRAPPERS, cached
from steelyard.values.quantities import (
    MINUS,
    MINUS_WORD,
    NUMBER,
    NUMBER_WORDS,
    START,
    UNITS,
    WORD,
    Quantity,
    exact_number,
    quantity,
    word_quantity,
)

Mode = Literal["marked", "last"]
# What may stand between a mark and its number; "$" only where it is not a currency.
_OPEN = re.compile(
    rf"""
    (?: [\s*_`\"'“‘«(\[{{<:：…=≈~]
      | \$(?![-−\s]?[\d.])
      | \\\\?(?:{WRAPPERS})(?![a-z])
      | \\\\?[(\[]
    ){{0,40}}
    """,
    re.X,
)
# What may stand between a number and what it is joined to: 42**, 42$, 42\,
_CLOSE = r"[*_`\"'”’$)\]}]{0,8}(?:\\[,;: )\]]){0,4}"

# Rule 4, several: "41 or 42", "10-42", "3:30", "1, 2 and 3", "5 ± 1", "12 \text{ or } 13"
_JOIN = (
    rf"(?:[{MINUS}—,，、;~〜∼:±&]|…|\.{{2,3}}|和|或|至|到"
    r"|(?:\\text\{[ ]*)?\b(?:or|and|to|through)\b[ ]*\}?)"
    r"[ \t]*(?:(?:or|and)\b)?"
)
# A compound quantity: "5 feet 3 inches", "2 hours and 30 minutes"; "5 in 3 cases" is none.
_UNIT = rf"(?:{UNITS.replace('|in|', '|')})\.?,?[ \t]+(?:(?:and|or|&)[ \t]+)?"
_PART_WORDS = "hundred|thousand|half|halves|thirds?|fourths?|fifths?"
_JOINED_AFTER = re.compile(
    rf"""
    {_CLOSE} [ \t]* (?:{_JOIN} [ \t]* [\\$€£¥(\{{\[*-]{{0,6}} | {_UNIT}) \.?\d
  | ['’′][ ]?\d | (?<=[万萬亿億])\d          # 5'10", 3亿5000万
  | \.\d                                    # 56.500.000
  | [ ]\d[\d,.]{{0,12}}[ ](?:thousand|million|billion)\b  # 1 million 200 thousand
  | [ ](?:(?:or|and)[ ](?:an?[ ])?)?(?i:{NUMBER_WORDS}|{_PART_WORDS})\b  # five or six, one half
    """,
    re.X,
)
# Groups of digits that plain spaces separate may be one number or several: "1 000 000"
_SPACED_GROUP = re.compile(r"[ ]\d{3}(?!\d)")
_GROUP_BEFORE = re.compile(r"(?<!\d)\d{1,3}[ ]\Z")
_JOINED_BEFORE = re.compile(
    rf"""
    (?:\d|∞|infty) (?: [%)\]}}*$]* [ \t]* {_JOIN} | [ \t]*{_UNIT} | ['’′] ) [ \t]*
    (?:\$?[a-z][ \t]*=[ \t]*)?             # "x = 3 or x = 4"
    (?:\$?\\(?:boxed|fbox)\{{)?             # \boxed{{3}} or \boxed{{4}}
    \Z
    """,
    re.X,
)

# Rule 4, part of an expression. A function or another LaTeX command: 2\pi, \sqrt{2}, 1 - sin(1)
_COMMANDS = (
    "pi|alpha|beta|gamma|delta|theta|lambda|phi|omega|sqrt|cdot|times|div|pm|mp|over"
    "|dfrac|tfrac|frac|binom|log|ln|exp|sin|cos|tan"
)
_COMMAND = rf"\\\\?(?:{_COMMANDS})"
_FUNCTION = r"(?:sin|cos|tan|log|ln|sqrt|exp)"
_DEGREE = r"\s?\{?\s?\\\\?circ"
_EXPRESSION_AFTER = re.compile(
    rf"""
    {_CLOSE} (?:
        [ \t]* (?:
            [+×÷·√π] | \^(?!{_DEGREE})      # 20 + x, 3^n, but 65^\circ
          | (?:{_COMMAND}|\\\\?left)(?![a-z])
          | [{MINUS}][ \t]*(?:\\|\(|[a-zA-Z](?![a-zA-Z])|{_FUNCTION}\b)   # 1 - x, 1 - sin(1)
          | /[ \t]*(?:[{MINUS}]?[\d(\\]|[a-z](?![a-z]))                # 3/(x + 1), 5/x, 1/-2
          | (?:[<>≤≥]=?|\\[lg](?:eq?|t)(?![a-z]))[ \t]*(?:[\d\\]|[a-z](?![a-z>]))  # 5 < x
          | (?:pi\b|{_FUNCTION}[ \t]?[\d(\\])      # 5pi, 5 sqrt(2)
          | =[ \t]*[\w(\\$.-]              # 4 = x
          | \*[\w(\\](?!\*)                # 2*x, but not *42*
          | x[ \t]?\d                      # 3 x 4
          | (?:minus|plus|times|over|divided\ by)[ \t]+(?:[\d(]|[xyzn]\b)  # 7 minus 5
        )
      | \((?:[\d\\]|[a-z](?![a-z]))       # 3(4), 3(x + 1)
      | _\{{?\d                           # 101_2
      | [ \t]?[α-λν-ωΑ-ΨΣ∞]               # 2θ, but not 2μm and 2Ω
      | [a-zA-Z](?:\^|\(|[ \t]?\+[ \t]?\w)  # 2k+1
      | [ \t]\*[ \t]                       # 2 * 3
      | ![ ]?[\^/$}}=]                     # 5!^2, 5!/3!, $5!$, 5! = 120
      | [⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]                     # 5²
      | (?:[xyznabpqrk百千]|i(?!n))(?![a-zA-Z]) # 3x, 2i, 5k, but not 3in
    )
    """,
    re.X,
)
_EXPRESSION_BEFORE = re.compile(
    rf"""
    (?: [+×÷·√±/^][ \t($]*                 # x + 20
      | [\w)][ \t]\*[ \t]+                 # x * 20, but is *20*
      | (?<![a-zA-Z*])[a-zA-Z\d)]\*  # x*20, 6*7, but not is*20*
      | [{MINUS}](?:[(\[{{]|\*{{1,2}}|\\[a-z]+\{{)   # -(20), -**20**, -\boxed{{20}}
      | !=[ \t]* | [≠≤≥][ \t]* | \\(?:[lg]t|(?:ne|le|ge)q?(?:slant)?)[ \t]*   # x != 20
      | (?<![<\w/])[\w)}}\]$]+[ \t]*[<>]=?[ \t]*   # x > 20, but not <b>20
      | \b(?:minus|negative)[ \t]+        # x minus 20
      | (?:(?<![{LETTERS}])[a-zA-Z]|\))[ \t]?[{MINUS}][ \t]?            # x - 20, but not total - 20
      | {_COMMAND}[ \t({{]*                # \sqrt{{2}}, \frac{{1 (broken off)
      | {_FUNCTION}\(
      | \}}[ \t]*\{{                       # \frac{{x}}{{2}}
    )\Z
    """,
    re.X,
)
# What can end a match of _EXPRESSION_BEFORE, apart from spaces.
_SIGNS_BEFORE = (*"+×÷·√±/^*([{$≠≤≥<>", *MINUS, "!=", "<=", ">=")
_WORDS_BEFORE = (
    *_COMMANDS.split("|"),
    "minus",
    "negative",
    "lt",
    "gt",
    "ne",
    "le",
    "ge",
    "q",
    "slant",
)
_DIGITS = re.compile(r"\d+|[¼-¾⅐-⅞]")
_START = re.compile(START)
# What defines a variable is no result: "3 or 4 (n = 7)", "2π, where r = 1"
_DEFINED = re.compile(r"(?:[,;(]|\b(?:where|with|for|if|when)\b) ?\$?[a-zA-Z] ?\Z")
# How far before the last digits their number may start: "3 \times 10^5" has three parts.
_PARTS = 4
_FARTHEST = 100
_GROUP_DIGITS = 3
# With a sign.
_LONGEST_GROUP = 4


class Numbers:
    """Numbers as a kind of value."""

    name = "number"

    def read_after(self, text: str, mark: Mark, start: int, end: int) -> Reading | None:
        """Read the number right after a mark, after its last "=", or the only one of its line."""
        name = mark_name(text, mark)
        first = _number_at(text, start, end)
        reading = committed(text, first, MARKED, name) if first else None
        if reading and reading.outcome == "found":
            return reading
        equation = text.rfind("=", start, end)
        if equation > 0 and text[equation - 1] in "!<>":
            equation = -1
        if first and equation > 0 and _DEFINED.search(text, max(start, equation - 12), equation):
            equation = -1
        last = _number_at(text, equation + 1, end) if equation >= 0 else None
        if last:
            return committed(text, last, 'after the last "="', name)
        if reading or mark.kind in {"phrase", "hash"}:
            return reading
        return _only_number(text, start, min(end, start + 2000), name)

    def read_alone(self, text: str, low: str) -> Reading:
        """Read the last number of the text; of a list, a range or a time it is the last one."""
        last = last_number(text)
        if last is None:
            return missing("no number")
        if _in_expression(text, last):
            return unclear(f"part of an expression: {_around(text, last)}")
        return found(last.value, last.start, last.end, "the last number")


def _number_at(text: str, start: int, end: int) -> Quantity | None:
    """Return the number or number word at a place, behind opening wrappers."""
    opened = _OPEN.match(text, start, end)
    place = opened.end() if opened else start
    if minus := MINUS_WORD.match(text, place, end):
        place = minus.end()
    match = NUMBER.match(text, place, end)
    if match:
        return quantity(match)
    word = WORD.match(text, place, end)
    return word_quantity(word) if word else None


def _only_number(text: str, start: int, end: int, name: str) -> Reading | None:
    """Return the only number of a line; several are unclear."""
    matches = list(NUMBER.finditer(text, start, end))
    if not matches:
        return None
    only = quantity(matches[0])
    if len(matches) > 1 or only is None:
        return unclear(f'several numbers after "{name}"')
    return committed(text, only, "the only number of its line", name)


def committed(text: str, number: Quantity, rule: str, mark: str = "") -> Reading:
    """Return a number after a mark, or unclear where it is joined or part of an expression."""
    if _in_expression(text, number):
        return unclear(f"part of an expression: {_around(text, number)}")
    if _is_joined(text, number):
        return unclear(f"several numbers: {_around(text, number)}")
    start, end = number.start, number.end
    return found(number.value, start, end, rule, mark)


def _is_joined(text: str, number: Quantity) -> bool:
    """Say whether a number is joined to another one, or may be a group of its digits."""
    start, end = number.start, number.end
    if _JOINED_AFTER.match(text, end, end + 40):
        return True
    if end - start <= _LONGEST_GROUP and _SPACED_GROUP.match(text, end):
        return True
    is_group = end - start == _GROUP_DIGITS and text[start:end].isdecimal()
    if is_group and _GROUP_BEFORE.search(text, max(0, start - 5), start):
        return True
    return bool(_JOINED_BEFORE.search(text, max(0, start - 40), start))


def _in_expression(text: str, number: Quantity) -> bool:
    """Say whether an operator, a variable or a LaTeX command stands beside a number."""
    start, end = number.start, number.end
    if _EXPRESSION_AFTER.match(text, end, end + 40):
        return True
    before = text[max(0, start - 20) : start].rstrip(" \t")
    if not before.endswith(_WORDS_BEFORE if before[-1:].isalpha() else _SIGNS_BEFORE):
        return False
    return bool(_EXPRESSION_BEFORE.search(text, max(0, start - 20), start))


def _around(text: str, number: Quantity) -> str:
    """Quote a number with the words beside it."""
    return excerpt(text, number.start, number.end)


@cached
def number_of(target: str) -> Reading:
    """Read the number of a target by the same rules; a number word needs no mark there.

    >>> number_of("18 tennis balls").value, number_of("forty-two").value
    (Decimal('18'), Decimal('42'))
    >>> number_of("3 or 4").outcome, number_of("none").outcome
    ('unclear', 'missing')
    """
    number = exact_number(target)
    if number:
        return found(number[0], 0, len(target), "the whole target")
    visible = visible_text(target)
    reading, _ = read_marked(visible.text, visible.low, NUMBERS)
    if reading is not None:
        return reading
    last = last_number(visible.text)
    if last is not None:
        return committed(visible.text, last, "the last number")
    word = WORD.search(target)
    if word is None:
        return missing("no number")
    return found(word_quantity(word).value, word.start(), word.end(), "a number word")


def last_number(text: str) -> Quantity | None:
    """Return the last number of a text, searching in windows from its end.

    >>> str(last_number("from 3 to 4.50 km in x2").value)
    '4.50'
    """
    end, size = len(text), 256
    while end > 0:
        start = max(0, end - size)
        places = [match.start() for match in _DIGITS.finditer(text, start, end)]
        place = next((place for place in reversed(places) if _START.match(text, place)), None)
        if place is None:
            end, size = start, size * 4
            continue
        size = 256
        start = _part_start(text, place)
        last = None
        for match in NUMBER.finditer(text, start, place + 80):
            whole = NUMBER.match(text, match.start()) if match.end() == place + 80 else match
            last = quantity(whole or match) or last
            if match.end() > place:
                break
        if last:
            return last
        end = start
    return None


def _part_start(text: str, place: int) -> int:
    """Return where the line, or the last few words before a place, start."""
    start = place
    first = max(0, place - _FARTHEST, text.rfind("\n", max(0, place - _FARTHEST), place) + 1)
    for _ in range(_PARTS):
        start = text.rfind(" ", first, start)
        if start < 0:
            return first
    return start


NUMBERS = Numbers()


def check_mode(mode: str) -> None:
    """Refuse a mode that is not known."""
    if mode not in {"marked", "last"}:
        raise SpecError(f"mode is 'marked' or 'last', not {mode!r}", path="mode")


def read_number(text: str, mode: Mode = "marked", trace: Trace | None = None) -> Reading:
    """Read a number by the rules; ``mode="last"`` takes the last one, whatever stands around it.

    >>> read_number("Answer: 5, then 6").value, read_number("Answer: 5, then 6", "last").value
    (Decimal('5'), Decimal('6'))
    """
    check_mode(mode)
    if mode == "marked":
        return read(text, NUMBERS, trace)
    visible = visible_text(text)
    last = last_number(visible.text)
    reading = missing("no number")
    if last is not None:
        reading = found(last.value, last.start, last.end, "the last number")
        reading = visible.original(reading)
    if trace is not None:
        trace.add("number", f"{reading.outcome}: {reading.reason}", reading.span)
    return reading


@EXTRACTORS.register("number", version="2")
def find_number(text: str, *, mode: Mode = "marked", trace: Trace | None = None) -> Found | None:
    r"""Find the number that is the answer, as it is written.

    >>> find_number("The total is 20 + 22 = 42")
    Found(value='42', span=(23, 25), stage='the last number')
    """
    return as_found(text, read_number(text, mode, trace))
