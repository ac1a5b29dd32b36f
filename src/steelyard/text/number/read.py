"""Numbers as people and models write them, read to their exact value.

Grouping, currency, percent, units, Unicode minus signs, other scripts' digits, exponents, powers of ten,
fractions and mixed numbers are read; a digit inside a word (B12, COVID-19), an exponent of a variable
and a part of a date are not numbers.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from steelyard.text.fold import fold_in_place
from steelyard.text.late import late
from steelyard.text.number.numeral import NUMBER, PLAIN, SCALED, SET_NUMBER
from steelyard.text.number.typeset import SIGN_GAP, plain_figures
from steelyard.text.number.value import VULGAR, Value, mixed, value_of
from steelyard.text.unseen import without_unseen

_HELD = 200  # matches: one takes a hundred times the room of its digits, and a text may be of nothing else
_SCALE_WORDS = {"k": 3, "m": 6, "mn": 6, "b": 9, "bn": 9}
_CODES = frozenset(("USD", "EUR", "GBP", "INR", "JPY", "CNY", "AUD", "CAD", "CHF", "Rs", "US"))
_BEFORE = late(rf"\s*[-+]?[\s{SIGN_GAP}]*(?:\\?\$)?\s*[-+]?\s?\.?")
_AFTER = late(r"\s*(?:\\?\$)?\s*\.?\s*")
_MONEY = late(r"\s?(?P<scale>[kKmMbB]|mn|bn)\b")
_LAST_DIGIT = late(r"[0-9](?=[^0-9]*+\Z)")
_GROUPED = late(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_APART = frozenset("=:,;)+-.%")  # after these and a blank another number begins
_LARGE = frozenset("kKmMbB")
_CODE_BEFORE = late(rf"(?<![A-Za-z])(?:{'|'.join(sorted(_CODES))}|US\$)[ ]?\Z")  # USD 2.5M
_THOUSAND = late(r"(?P<scale>k)(?![\w^(])")
_UNSPACED = late("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_THOUSANDS = late(
    r"\b(?:es|la|el|los|las|una|hay|é|são|uma|há|em|respuesta|resposta)\b"
)  # languages that count so
# Mg(OH)2, (NH4)2SO4: a digit that counts a group of atoms.
_ATOMS = late(r"(?:[A-Za-z\d]\((?:[A-Z][a-z]?\d{0,2}){1,5}|\((?:[A-Z][a-z]?\d{0,2}){2,6})\)\Z")
_BETWEEN = "$\\" + SIGN_GAP  # what may stand between a sign and its number
_SPOKEN_SIGN = late(r"\b(?:minus|negative)[ ]$", re.IGNORECASE)


class Number(NamedTuple):
    """An exact value and where it stands, sign included."""

    value: Value
    span: tuple[int, int]


def read_number(text: str) -> Value | None:
    r"""The value of a text that is a number and nothing else, or None.

    >>> read_number("$1,234.50"), read_number("3/4"), read_number("42 apples"), read_number(r"\frac{1}{2}")
    (Decimal('1234.50'), Fraction(3, 4), None, Fraction(1, 2))
    """
    if text[:1].isalpha():
        return None  # no number begins with a letter, and most texts do
    if text.isascii():
        if text.replace(".", "", 1).isdigit():
            return Decimal(text)
        if PLAIN.fullmatch(text):
            return Decimal(text.replace(",", ""))
    else:
        text = without_unseen(text)
    folded = fold_in_place(plain_figures(text))
    for match in _matches(folded):
        if number := _read(folded, match):
            before, after = folded[: match.start()], folded[max(match.end(), number.span[1]) :]
            return number.value if _BEFORE.fullmatch(before) and _AFTER.fullmatch(after) else None
        return None
    return None


def find_numbers(folded: str, start: int = 0, end: int | None = None) -> Iterator[Number]:
    """The numbers in a text that ``fold_in_place`` gave, from left to right.

    >>> [str(number.value) for number in find_numbers("10-42, x2 and -7")]
    ['10', '42', '-7']
    """
    for match in _matches(folded, start, end):
        if number := _read(folded, match):
            yield number


def last_number(folded: str) -> Number | None:
    """The last number in a text that ``fold_in_place`` gave."""
    if number := _last_plain(folded) or _closing(folded):
        return number
    tail = _tail(folded)
    for start, end in ((tail, len(folded)), (0, tail)) if tail else ((0, len(folded)),):
        last = deque(_matches(folded, start, end), maxlen=_HELD)
        for match in reversed(last):
            if number := _read(folded, match):
                return number
        if len(last) == _HELD and (earlier := deque(find_numbers(folded, start, end), maxlen=1)):
            return earlier[0]
    return None


def _last_plain(folded: str) -> Number | None:
    """The last number of a text without LaTeX, if a blank sets it apart from a word or a mark, and nothing scales it."""
    digit = _LAST_DIGIT.search(folded)
    if digit is None or "\\" in folded or SCALED.match(folded, digit.end()):
        return None
    if not (folded.isascii() or folded[digit.end() :].isascii()):
        return None  # beyond ASCII a number may go on, or be of one character
    end = digit.end()
    start = len(folded[:end].rstrip("0123456789.,"))
    body = folded[start:end]
    if "," in body and _GROUPED.fullmatch(body):
        body = body.replace(",", "")
    if body[0] == "." or not body.replace(".", "", 1).isdecimal():
        return None
    at = start - (folded[start - 1 : start] == "$")
    if at < start and _MONEY.match(folded, end):
        return None
    led = folded[max(0, at - 2) : at]
    if led and not (led[-1] == " " and led.isascii() and (led[0].isalpha() or led[0] in _APART)):
        return None
    return _number(Decimal(body), _negative(folded, start), (start, end))


def _closing(folded: str) -> Number | None:
    """The plain number after a word with which a text ends; most texts that give one unmarked end so."""
    end = len(folded.rstrip(" \n."))
    start = len(folded[:end].rstrip("0123456789."))
    body = folded[start:end]
    if (
        start < 2
        or folded[start - 1] != " "
        or not (folded[start - 2].isalpha() or folded[start - 2] == "=")
    ):
        return None
    if body[:1] == "." or not body.replace(".", "", 1).isdecimal():
        return None
    return _number(Decimal(body), _negative(folded, start), (start, end))


def _tail(folded: str) -> int:
    """Where the end of a long text begins, between two words: in most the last number stands there."""
    at = len(folded) - 300
    while at > 1 and not (
        folded[at - 1] == " " and folded[at - 2].isalpha() and folded[at].isalpha()
    ):
        at = folded.rfind(" ", 0, at - 1) + 1
    return max(0, at)


def _matches(folded: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    stop = len(folded) if end is None else end
    special = not folded.isascii() or folded.find("\\", start, stop) >= 0
    return (SET_NUMBER if special else NUMBER).finditer(folded, start, stop)


def _read(folded: str, match: re.Match[str]) -> Number | None:
    start, end = match.span()
    body = match[0]
    grouped = "," in body  # where the pattern lets one stand, it groups digits
    if grouped:
        body = body.replace(",", "")
    if (
        body.replace(".", "", 1).isdecimal()
        and folded[end : end + 1] not in _LARGE
        and not (grouped and "." in match["int"])
    ):
        before = folded[start - 1] if start else " "
        if before == " " or (before not in ".$" and not _in_word(folded, start, end)):
            return _number(Decimal(body), _negative(folded, start), (start, end))
    return _read_parts(folded, match)


def _read_parts(folded: str, match: re.Match[str]) -> Number | None:
    (start, end), found = match.span(), match.groupdict()
    if found.get("low") or found.get("low1"):
        return _number(mixed(found), _negative(folded, start), (start, end))
    if found.get("alone"):
        return _number(VULGAR[found["alone"]], _negative(folded, start), (start, end))
    if _in_word(folded, start, end):
        return None
    lead = (
        start > 0
        and folded[start - 1] == "."
        and not _ends_more(folded[max(0, start - 2) : start - 1])
    )
    if found["scale"] == "mil" and not _THOUSANDS.search(folded, max(0, start - 200), end + 60):
        end = len(folded[: match.start("scale")].rstrip(" -"))  # a unit of length
        found["scale"] = None
    value = value_of(found, "." if lead else "")
    if isinstance(value, Decimal) and (scaled := _scaled(folded, start, end)):
        sign, digits, exponent = value.as_tuple()
        scale = _SCALE_WORDS[scaled["scale"].lower()]
        value, end = Decimal((sign, digits, int(exponent) + scale)), scaled.end()
    return _number(value, _negative(folded, start - lead), (start - lead, end - _trailing(match)))


def _ends_more(before: str) -> bool:
    """Whether a point after it belongs to what stands before: to a word, a number or an ellipsis (is...5)."""
    return before.isalnum() or before == "."


def _scaled(folded: str, start: int, end: int) -> re.Match[str] | None:
    """The letter after a number that multiplies it: $2M, 1.5k; without a currency M may be a unit, and K too."""
    if start > 0 and folded[start - 1] == "$":
        return _MONEY.match(folded, end)
    if folded[end : end + 2].lstrip()[:1] in _LARGE and _CODE_BEFORE.search(
        folded, max(0, start - 5), start
    ):
        return _MONEY.match(folded, end)
    return _THOUSAND.match(folded, end)


def _number(value: Value | None, sign_at: int | None, span: tuple[int, int]) -> Number | None:
    if value is None or sign_at is None:
        return None if value is None else Number(value, span)
    # copy_negate, unlike the minus sign, does not round to the context's precision.
    negative = value.copy_negate() if isinstance(value, Decimal) else -value
    return Number(negative, (sign_at, span[1]))


def _trailing(match: re.Match[str]) -> int:
    """A percent sign or a word of scale is not part of the extracted text."""
    tail = match["percent"] or ""
    return len(tail) if not match["scale"] else 0


def _in_word(text: str, start: int, end: int) -> bool:
    """B12, x_1, x^2, cm^-3, Mg(OH)2, COVID-19, and the second part of a date are not numbers."""
    if start == 0:
        return False
    before = text[start - 1]
    if before.isalpha():
        return _in_name(text, start)
    if before in "_^{(-+>*)":
        return _is_script(text, start, end)
    if before in "/.":
        return before == "/" and text[start - 2 : start - 1].isdecimal()
    return False


def _in_name(text: str, start: int) -> bool:
    """Whether the letter before it makes a name of it; a currency's code does not, nor a script that writes no blanks."""
    before = text[start - 1]
    if before >= "\u0e00" and _UNSPACED.match(before):
        return before == "第"  # this one makes an ordinal of it
    word = re.search(r"[A-Za-z]{1,4}$", text[max(0, start - 4) : start])
    return word is None or word[0] not in _CODES


def _is_script(text: str, start: int, end: int) -> bool:
    """Whether it is raised or lowered: an index, the exponent of a unit, the number of a group of atoms; or follows a hyphen."""
    before = text[start - 1]
    if before == ")":
        return _ATOMS.search(text, max(0, start - 20), start) is not None
    if before == "_":
        return start > 1 and text[start - 2].isalnum()
    if before == "*":
        base = text[start - 3 : start - 2] if text[start - 2 : start - 1] == "*" else ""
        # x**2; but what follows a script without blanks is only set in bold: 共**5个**
        return base.isalpha() and base < "\u0e00" and text[end : end + 1] != "*"
    signed = text[max(0, start - 7) : start].rstrip("-+")
    if signed.endswith(("^", "^{", "_{", "^(", "<sup>", "<sub>")):
        return True
    return (
        before == "-"
        and start > 1
        and text[start - 2].isalpha()
        and not _UNSPACED.match(text[start - 2])
    )


def _negative(text: str, start: int) -> int | None:
    """Where the minus sign of the number stands, if it has one; a hyphen, a bullet and a range are none."""
    at = start - 1
    while at >= 0 and text[at] in _BETWEEN:
        at -= 1
    if at >= 1 and text[at] == " ":
        return _distant_sign(text, at)
    if at < 0 or text[at] != "-":
        return None
    ahead = at
    while ahead > 0 and text[ahead - 1] == "_":  # _-5_ is set in italics, a_-5 has an index
        ahead -= 1
    before = text[ahead - 1] if ahead > 0 else ""
    # Where a script writes no blanks, the letter before a sign is the end of another word: 気温は−5度.
    if (before.isalnum() and not _UNSPACED.match(before)) or (before and before in ")]}%-"):
        return None
    return None if before == " " and text[at - 2 : at - 1].isdigit() else at


def _distant_sign(text: str, blank: int) -> int | None:
    """A sign that a blank sets apart: after a mark, "=" or a bracket (not a bullet), or spoken."""
    if text[blank - 1] == "-":
        earlier = text[max(0, blank - 8) : blank - 1].rstrip(" ")
        return (
            blank - 1
            if earlier and (earlier[-1] in ":={($" or earlier.endswith((" is", " equals")))
            else None
        )
    spoken = _SPOKEN_SIGN.search(text, max(0, blank - 9), blank + 1)
    return (
        spoken.start()
        if spoken and not text[max(0, spoken.start() - 2) : spoken.start()].strip().isdecimal()
        else None
    )
