"""Exact numbers as people write them: signs, grouping, fractions, exponents, scales, words."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from steelyard.values.normal import LETTERS, WRAPPERS, cached

# For use inside a character class, where the hyphen has to stand first.
MINUS = "-−–－﹣‐‑‒"
_POINT = "[.．٫]"
_SUPERSCRIPTS = "[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
# Powers of ten that may follow a number: "5 million", "5 Millions", "3万".
_SCALES = {
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "万": 4,
    "萬": 4,
    "亿": 8,
    "億": 8,
}
_SCALE = rf"(?P<scale>(?i:{'|'.join(_SCALES)}))s?"
UNITS = (
    "feet|foot|ft|inch(?:es)?|in|yards?|yd|miles?|mi|km|cm|mm|met(?:er|re)s?|m|hours?|hrs?|h"
    "|minutes?|mins?|min|seconds?|secs?|s|days?|weeks?|months?|years?|pounds?|lbs?|ounces?|oz"
    "|kg|kilograms?|g|grams?|mg|lit(?:er|re)s?|L|ml|dollars?|cents?|euros?|degrees?|°C?|K|J|N|W|V"
    "|Hz|Pa|mol"
)

# Where a number may start: not in a word (x2), a decimal (1.2.3), a power (x^2, x^{-2}, x**2) or
# an index (x_1, x_{1}). Italics (_42_) and other scripts (答えは42) may stand directly before it.
START = (
    rf"(?<![{LETTERS}\d^])(?<!\d{_POINT})(?<![{LETTERS}\d)\]}}]\*\*)(?<![{LETTERS})\]}}]_)"
    rf"(?<!\^[{{(])(?<!_\{{)(?<!\^[{MINUS}])(?<!\^\{{[{MINUS}])"
)
# A sign stands directly before the number: -5, -$5. Between two numbers (10-42, 10 - 42) or
# after a word it is a hyphen or a dash. After "=", ":", an opening bracket, "$" or "is", a space
# may follow it.
_SIGN = rf"""
    (?<![{LETTERS}\d)\]}}^.])(?<!\d\s)[{MINUS}+](?!\s)
  | (?<=[=:({{$])[{MINUS}]\s
  | (?<=[=:][ ])[{MINUS}]\s
  | (?<=\bis\s)[{MINUS}]\s
  | (?<!\d\s)(?<![{LETTERS}\d)\]}}])(?:−\s|-\u00a0)
"""
_CURRENCY = r"(?:\\?[$€£¥₹₽₩]|US\$)"
# The comma of 1,234 and what is used like it: {,} and \, and ,\! in LaTeX, narrow spaces.
_GROUP = r"(?:,(?:\\!)?|\{,\}|\\,|[\u00a0\u2009\u202f٬])"
_WHOLE = rf"""
    (?!0)\d{{1,3}}(?:{_GROUP}\d{{3}})+(?!\d)     # 1,234,567, but not (0,100)
  | (?!0)\d{{1,2}}(?:,\d\d)+,\d{{3}}(?!\d)       # 12,34,567
  | \d+
"""
# \frac{1}{2} and \frac12, also with a whole number before it; a broken-off one has no value.
_LATEX_FRACTION = rf"""
    (?:(?P<mixed>\d+)\s?)?
    \\\\?[dt]?frac\s*(?:
        \{{\s*(?P<top>[{MINUS}]?\d+)\s*\}}\s*\{{\s*(?P<bottom>\d+)\s*\}}
      | (?P<upper>\d)\s*(?P<lower>\d)
    )
"""
_VULGAR = r"(?P<vulgar>\d*\s?[¼-¾⅐-⅞])"  # ½, 2½
_SLASH_FRACTION = r"(?:(?P<part>\d+)\s+)?(?P<above>\d+)\s?[/⁄]\s?(?P<below>\d+)(?!\d|\.\d|/\d)"
# The exponent of ten: 10^5, 10^{-5}, 10⁵
_POWER = rf"""
    10(?:
        \^\{{?\(?(?P<power>[{MINUS}+]?\d+)[)}}]{{0,2}}
      | (?P<raised>{_SUPERSCRIPTS})
    )
"""
# A decimal number: 1.5e3, 3 × 10^5
_DECIMAL = rf"""
    (?P<digits>(?:{_WHOLE})(?:{_POINT}\d+)?|(?<![\w.．٫]){_POINT}\d+)
    (?:
        [eE](?P<e>[{MINUS}+]?\d+)(?!\w)
      | (?:\s|\\,)?(?:[×x*·]|\\\\?times|\\\\?cdot)(?:\s|\\,)?
        10(?P<exponent>\^?\{{?\(?[{MINUS}+]?\d+[)}}]{{0,2}}|{_SUPERSCRIPTS})
    )?
"""
NUMBER = re.compile(
    rf"""
    (?=[{MINUS}+\\$€£¥₹₽₩U.．٫\d¼-¾⅐-⅞])     # the first character, to fail early
    (?P<sign>{_SIGN})?
    (?:{_CURRENCY}\s?(?P<inner_sign>[{MINUS}])?)?
    {START}
    (?:{_LATEX_FRACTION}|{_VULGAR}|{_SLASH_FRACTION}|{_POWER}|{_DECIMAL})
    (?:\s?(?:\\text\{{\s?)?{_SCALE}(?![{LETTERS}])|\s?(?:\\?%|per\ ?cent\b))?
    """,
    re.X,
)

_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
)
_TO_NINETY = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL, _TENS = _TO_NINETEEN.split(), _TO_NINETY.split()
NUMBER_WORDS = "|".join([*_SMALL, *_TENS])
_WORDS = {word: number for number, word in enumerate(_SMALL)}
_WORDS.update((word, 10 * number) for number, word in enumerate(_TENS, 2))
# A number word up to a hundred: seven, forty-two, minus two hundred, five million
WORD = re.compile(
    rf"""
    \b(?P<minus>(?:minus|negative)\s)?
    (?:
        (?P<ten>{"|".join(_TENS)})(?:[-\s](?P<one>{"|".join(_SMALL[1:10])}))?
      | (?P<small>{"|".join(reversed(_SMALL))})(?P<of>\shundred)?
      | (?P<hundred>(?:a\s)?hundred)
    )\b
    (?:\s{_SCALE}\b)?
    """,
    re.I | re.X,
)

# A sign in words before digits: "minus 5". After a number or another word it is an operator.
MINUS_WORD = re.compile(r"(?:minus|negative)\s(?=[\d.$€£¥\\])", re.I)
_MINUS_BEFORE = re.compile(
    r"(?:\A|[\n(\[{=:,;*_$\"'][ ]?|\bis[ ])(?P<word>minus|negative)\s\Z", re.I
)

# What may stand before a number that is the whole text; "$" only where it is not a currency.
_BARE = re.compile(
    rf"(?:[\s*_`\"'“”(\[{{]|\\\\?(?:{WRAPPERS})(?![a-z])|\\[(\[]|\$(?=\$|\\|[(\s]))*"
)
# What may stand after it: closing wrappers and a unit.
_REST = re.compile(
    r"[\s*_$`)\]}\\,;]*(?:(?:"
    rf"(?:(?:text|mathrm)\s?\{{\s*)?(?P<unit>(?:{UNITS})[²³]?(?!\w))"
    r"|\^\{?\\\\?circ|[.\"'“”]"
    r")[\s.*_$`\"'“”)\]}\\]*)?"
)
_GROUPING = re.compile(r"[^\d.．٫]+")
# How far after its number a formula may end: $65^\\circ$
_FORMULA_END = 24
_POINTS = str.maketrans("．٫", "..")
_HYPHENS = str.maketrans(dict.fromkeys(MINUS, "-"))

Number = Decimal | Fraction


class Quantity(NamedTuple):
    """An exact number and where it stands in the text."""

    value: Number
    start: int
    end: int


def quantity(match: re.Match[str]) -> Quantity | None:
    """Return the exact value of a match of NUMBER, or None where it has none, such as 1/0.

    >>> [str(quantity(NUMBER.match(text)).value) for text in ("1,234.50", "1/2", "-5 million")]
    ['1234.50', '1/2', '-5E+6']
    """
    try:
        value = _exact(match)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        return None
    start, end = match.span()
    sign = match["sign"] or match["inner_sign"]
    if not sign and (word := _minus_word(match.string, start)) is not None:
        start, sign = word, "-"
    if sign and sign[0] in MINUS:
        value = value.copy_negate() if isinstance(value, Decimal) else -value
    if match.string.startswith("$", start) and "$" in match.string[end : end + _FORMULA_END]:
        start += 1  # "$42$" is a formula, not a currency
        start += match.string.startswith(" ", start)
    return Quantity(value, start, end)


def _minus_word(text: str, start: int) -> int | None:
    """Return where the word "minus" before a number starts."""
    if not text[max(0, start - 9) : start].lower().endswith(("minus ", "negative ")):
        return None
    before = _MINUS_BEFORE.search(text, max(0, start - 14), start)
    return before.start("word") if before else None


def _exact(match: re.Match[str]) -> Number:
    """Return the value of a match of NUMBER without its sign."""
    digits, shift, scale = match["digits"], match["exponent"] or match["e"], match["scale"]
    if digits:
        if digits.isdecimal() and not shift and not scale:
            return Decimal(digits)
        return _decimal(digits, shift, scale)
    power = match["power"] or match["raised"]
    if power:
        return _decimal("1", power, scale)
    return _fraction(match)


def _fraction(match: re.Match[str]) -> Fraction:
    r"""Return the value of a match that is a fraction: ½, 1 1/2, \frac{1}{2}."""
    if vulgar := match["vulgar"]:
        fraction = Fraction(unicodedata.numeric(vulgar[-1])).limit_denominator(10)
        return int(vulgar[:-1].strip() or 0) + fraction
    top = match["top"] or match["upper"] or match["above"]
    bottom = match["bottom"] or match["lower"] or match["below"]
    return int(match["mixed"] or match["part"] or 0) + Fraction(int(_plain(top)), int(bottom))


def _decimal(digits: str, exponent: str | None, scale: str | None) -> Decimal:
    """Build an exact decimal from digits, an exponent of ten and a scale."""
    shift = int(_plain(exponent.strip("^{()}"))) if exponent else 0
    if scale:
        shift += _SCALES[scale.lower()]
    return Decimal(f"{_GROUPING.sub('', digits).translate(_POINTS)}E{shift}")


def _plain(number: str) -> str:
    """Write superscripts and Unicode minus signs in ASCII."""
    return unicodedata.normalize("NFKC", number).translate(_HYPHENS)


def word_quantity(match: re.Match[str]) -> Quantity:
    """Return the value of a match of WORD.

    >>> word_quantity(WORD.match("forty-two apples")).value
    Decimal('42')
    """
    parts = {name: text.lower() for name, text in match.groupdict().items() if text}
    value = sum(_WORDS[parts[name]] for name in ("ten", "one", "small") if name in parts)
    if "hundred" in parts or "of" in parts:
        value = 100 * (value or 1)
    if "scale" in parts:
        value *= 10 ** _SCALES[parts["scale"]]
    if "minus" in parts:
        value = -value
    return Quantity(Decimal(value), match.start(), match.end())


@cached
def exact_number(text: str) -> tuple[Number, str] | None:
    """Return value and unit of a text that is a number, with wrappers, and nothing else.

    >>> exact_number("**$1,234.50**"), exact_number("5 km"), exact_number("(1,2)")
    ((Decimal('1234.50'), ''), (Decimal('5'), 'km'), None)
    """
    if text.isascii() and text.isdigit():
        return Decimal(text), ""
    start = _BARE.match(text)
    match = NUMBER.match(text, start.end() if start else 0)
    number = quantity(match) if match else None
    if number is None:
        return None
    rest = _REST.fullmatch(text, number.end)
    return (number.value, rest["unit"] or "") if rest else None


def same_number(got: str, want: str) -> bool | None:
    """Compare by exact value, and by unit where both have one; None where one is not a number.

    >>> same_number("3.0", "3"), same_number("1/2", "0.5"), same_number("5 km", "5 m")
    (True, True, False)
    """
    wanted = exact_number(want)
    number = exact_number(got) if wanted else None
    if wanted is None or number is None:
        return None
    units = {number[1], wanted[1]} - {""}
    return number[0] == wanted[0] and len(units) < 2
