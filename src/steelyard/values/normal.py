"""The normal form of text, and what stands around a value without being part of it.

Two answers with the same normal form are the same words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from steelyard.values.compose import compose

Value = TypeVar("Value")
_LONGEST_CACHED = 1000
# The letters that join digits to a word: "x2", "β2", "Ж2". After other scripts, such as Han or
# kana, digits are a number of their own. For use inside a character class.
LETTERS = r"A-Za-zªµºÀ-ÖØ-öø-ɏͰ-ϿЀ-ԯḀ-ỿἀ-῿"

# LaTeX commands that only change how their argument looks.
WRAPPERS = (
    "boxed|fbox|text|textbf|textit|textrm|textsf|texttt|mathrm|mathbf|mathit|mathsf|mathtt"
    "|mathnormal|operatorname|emph|bm|boldsymbol|displaystyle|left|right"
)
# A wrapper command, a math delimiter or a LaTeX space: \text, \(, \], \, (also with "\\").
_WRAPPER = re.compile(rf"\\\\?(?:(?:{WRAPPERS})(?![a-z])|[()\[\],;:! ])")

# Characters that a reader does not see, such as U+200B and a byte-order mark.
HIDDEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200c\u200d\u200e"
    "\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u3164"
    "\ufe00\ufe0e\ufe0f\ufeff\uffa0"
)
INVISIBLE = HIDDEN + (
    " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
# Between a digit and a vulgar fraction: NFKC would turn 2½ into 21/2.
_VULGAR_FRACTION = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
# One search for all characters that need a step of their own before NFKC.
_COMPATIBILITY = re.compile("[\u00a0\u2009\u202f…⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻¼-¾⅐-⅞]")
# Between feet and inches, 5'10"; an apostrophe before three digits groups them: 1'000.
_FEET = re.compile(r"(?<=\d)['’′](?=\d{1,2}(?!\d))")
# Spaces that group digits, and spaces around a fraction bar between digits.
_GROUPED = re.compile(r"(?<=\d)(?:[\u00a0\u2009\u202f]|\\,)(?=\d{3}(?!\d))")
_BAR = re.compile(r"(?<=\d)\s*/\s*(?=\d)")
# A sign that a space separates from its number: "= - 5", "− 5"; a bullet has a hyphen and a space.
_SIGN = re.compile(r"(?:(?<=[=:({$])\s?[-−–]|−|-(?=\u00a0))\s(?=[\d.])")
# "the Beatles" loses its article, "Vitamin A" and "A, B" do not. Markdown may stand between.
_ARTICLE = re.compile(
    # It starts with a set of characters, which `re` finds several times faster than a boundary.
    r"[at](?<!\w[at])(?:(?<=a)n?|(?<=t)he)(?:\*\*)?[ \t]+(?=[*_`]*\w)"
)
_DELETED = re.compile(
    r"""
    [.,] (?:
        (?<=\d,) (?<!\b0,) (?=\d{3}(?!\d))           # a grouping comma: 1,234, but not 0,123
      | (?<=\b[^\W\d_]\.) (?=[^\W\d_]\b)             # a dot of an abbreviation: U.S.A
    )
    """,
    re.X,
)
# Signs that stay where they belong to a number or a name; each line is a place where they
# become a space. The text starts with a space, so that every sign has a character before it.
_SIGNS = "-+.,/#^%"
_SPACED = re.compile(
    rf"""
    [-+.,/#^%] (?:
        (?<=,)                                       # a comma that does not group digits
      | (?<=\.) (?!\w) | (?<=\S\.) (?!\d)            # a full stop; not 1.5 and not .NET
      | (?<=-) (?![\d.√∞]|\w\b) | (?<=[{LETTERS}\d.]-)   # a hyphen; not -5 and not -x
      | (?<=\s\+) (?=[\d.])                          # +5 is 5; not C++
      | (?<=/) (?!\d) | (?<=\D/)                     # a slash; not 3/4
      | (?<=\#) (?=\w) | (?<=[\W\d_]\#)              # a number sign; not C#
      | (?<=\W\^)                                    # a power without a base; not 10^2
      | (?<=\D%)                                     # a percent sign; not 20%
    )
    """,
    re.X,
)


class _Characters(dict[int, str | None]):
    """What each character becomes; filled as characters are met."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        category = unicodedata.category(char)
        form: str | None = char
        if char in "'’‘ʼ" or category in {"Sc", "Cf"} or 0xFE00 <= code <= 0xFE0F:
            form = None
        elif char in "−–‒‐‑":
            form = "-"
        elif char == "⁄":
            form = "/"
        elif char not in _SIGNS and (category[0] in "PZC" or char in "=|~`´¨"):
            form = " "
        self[code] = form
        return form


_CHARACTERS = _Characters()


def is_blank(text: str) -> bool:
    r"""Say whether a text has nothing but white space and invisible characters.

    >>> is_blank(" \u200b\n"), is_blank(".")
    (True, False)
    """
    return not text.strip(INVISIBLE)


def normal_form(text: str) -> str:
    """Case-folded words without wrappers, articles and punctuation.

    >>> normal_form("The **U.S.A.**"), normal_form("-5"), normal_form("C++"), normal_form("10²")
    ('usa', '-5', 'c++', '10^2')
    >>> normal_form("Vitamin A"), normal_form("$1,234.50"), normal_form("(1,2)")
    ('vitamin a', '1234.50', '1 2')
    """
    if "-" in text or "−" in text:
        text = _SIGN.sub(" -", text)
    if text.isascii():
        text = text.lower()
    else:
        if _COMPATIBILITY.search(text):
            text = _GROUPED.sub("", text).replace("…", " ")
            text = _SUPERSCRIPT.sub(_power, text)
            text = _VULGAR_FRACTION.sub(" ", text)
        text = compose(text, "NFKC").casefold()
    if "\\" in text:
        text = _WRAPPER.sub(" ", _GROUPED.sub("", text))
    if "/" in text:
        text = _BAR.sub("/", text)
    if "'" in text or "’" in text or "′" in text:
        text = _FEET.sub(" ", text)
    if "%" in text:
        text = text.replace("\\%", "%").replace(" %", "%")
    text = _ARTICLE.sub("", text).translate(_CHARACTERS)
    text = _DELETED.sub("", " " + text)
    return " ".join(_SPACED.sub(" ", text).split())


def cached(function: Callable[[str], Value]) -> Callable[[str], Value]:
    """Keep the results of a function of a target, but not those of long targets."""
    keep = lru_cache(maxsize=8192)(function)

    @wraps(function)
    def call(text: str) -> Value:
        return keep(text) if len(text) <= _LONGEST_CACHED else function(text)

    return call


target_form = cached(normal_form)


def _power(run: re.Match[str]) -> str:
    """Write superscripts as a power: ² becomes ^2."""
    return "^" + unicodedata.normalize("NFKC", run[0])


def same_text(got: str, want: str) -> bool:
    """Compare two texts in normal form, or as they are where nothing of one is left.

    >>> same_text("the Beatles", "Beatles!"), same_text("] )", "] )"), same_text("", "")
    (True, True, False)
    """
    wanted = target_form(want)
    if len(got) > 2 * len(want) + 200 and not _starts_alike(got, wanted, 2 * len(want) + 100):
        return False
    form = normal_form(got)
    if form and wanted:
        return form == wanted
    return got.strip() == want.strip() and not is_blank(got)


def _starts_alike(text: str, wanted: str, size: int) -> bool:
    """Say whether the first words of a long text may be those of a normal form.

    The normal form of a word depends on the next two words at most, so these are left out.
    """
    words, first = wanted.split(), normal_form(text[:size]).split()[:-2]
    return first == words[: len(first)]


_PAIRS = {"(": ")", "[": "]", "{": "}"}
# Wrappers that must not occur inside the value that they enclose; the longer ones first.
_QUOTES = (
    (r"\(", r"\)"),
    (r"\[", r"\]"),
    ("$$", "$$"),
    ("$", "$"),
    ('"', '"'),
    ("'", "'"),
    ("“", "”"),
    ("‘", "’"),
    ("«", "»"),
    ("「", "」"),
)
_COMMAND = re.compile(rf"\\\\?(?:{WRAPPERS})\s?(?=\{{)")
# A full stop that is part of the value: "U.S.A.", "and so on...".
_DOTTED = re.compile(r"(?:\b[^\W\d_]\.){2}\Z|\.\.\Z")
_MARKDOWN = " \t\r\n*_`"
# Bounds for hostile texts: wrappers around each other, and the length of a wrapped value.
_MOST_WRAPPERS = 12
_LONGEST_WRAPPED = 2000


def unwrap(text: str, start: int, end: int) -> tuple[int, int]:
    r"""Return where the value of text[start:end] stands without its wrappers.

    >>> line = r"**$\boxed{42}$**."
    >>> line[slice(*unwrap(line, 0, len(line)))]
    '42'
    >>> unwrap("(1, 2)", 0, 6), unwrap("U.S.A.", 0, 6)
    ((0, 6), (0, 6))
    """
    for _ in range(_MOST_WRAPPERS):
        value = text[start:end]
        if not value or (value[0].isalnum() and value[-1].isalnum()):
            break
        left, right = _wrapper(value)
        if left + right == 0 or left + right >= len(value):
            break
        start, end = start + left, end - right
    return start, end


def _wrapper(value: str) -> tuple[int, int]:
    """Return the lengths of the outermost wrapper of a value, left and right."""
    size = len(value)
    left, right = size - len(value.lstrip(_MARKDOWN)), size - len(value.rstrip(_MARKDOWN))
    if left or right:
        return left, right
    if value[-1] in ".。" and not _DOTTED.search(value, max(0, size - 8)):
        return 0, 1
    return _enclosure(value) if size <= _LONGEST_WRAPPED else (0, 0)


def _enclosure(value: str) -> tuple[int, int]:
    """Return the lengths of the quotes, brackets or command around a value."""
    for opening, closing in _QUOTES:
        if value.startswith(opening) and value.endswith(closing):
            inner = value[len(opening) : -len(closing)]
            if inner and closing not in inner:
                return len(opening), len(closing)
    command = _COMMAND.match(value)
    place = command.end() if command else 0
    # The brackets of (1, 2) are part of the value.
    if closes_at_end(value[place:]) and (command or "," not in value):
        return place + 1, 1
    return 0, 0


def closes_at_end(text: str) -> bool:
    """Say whether a text starts with a bracket that its last character closes.

    >>> closes_at_end("(a)(b)"), closes_at_end("((a)(b))"), closes_at_end("[1, 2)")
    (False, True, False)
    """
    if not text or _PAIRS.get(text[0]) != text[-1]:
        return False
    depth = 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return place == len(text) - 1
    return False
