"""Characters of all scripts, folded to the few that the rules speak of.

Two tables for ``str.translate``, filled as characters are met: a whole table of Unicode would cost
more at import than most runs ever use.
"""

from __future__ import annotations

import re
import unicodedata

APOSTROPHES = "'’‘‛ʼʻʹ′`´＇"
_DROPPED_SIGNS = "°™®©℠✓✔✅☑"
_MINUS = "−﹣－"
_GROUPING_SPACES = "\u00a0\u2007\u2009\u202f"
# Invisible letters and marks that Unicode does not class as format characters.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", "0123456789+-()n")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ]+")
_LOWERED = re.compile("(?<=[0-9])[₀₁₂₃₄₅₆₇₈₉]+")
_SPACED_GROUPS = re.compile(rf"(?<=\d)[{_GROUPING_SPACES}](?=\d{{3}}(?!\d))")
_VULGAR = re.compile("[¼½¾⅐-⅞↉]")


class _Plain(dict[int, str]):
    """For comparison: punctuation and symbols to their plain forms, invisible characters away."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = plain = _plain(char)
        return plain


class _InPlace(dict[int, str]):
    """For reading: one character for one, so that every offset stays as it was."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = plain = _in_place(char)
        return plain


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if char in APOSTROPHES:
        return "'"
    if char in _DROPPED_SIGNS or category[0] == "Z":
        return " "
    if char in "⁄∕":
        return "/"
    if char in _MINUS or category == "Pd":
        return "-"
    return _by_category(char, category)


def _by_category(char: str, category: str) -> str:
    if (
        category in {"Cf", "Cc"}
        or char in _BLANK_LETTERS
        or "VARIATION SELECTOR" in unicodedata.name(char, "")
    ):
        return " " if char.isspace() else ""
    if category == "Nd":
        return str(unicodedata.digit(char))
    if category[0] == "P":
        return {"٫": ".", "٬": ","}.get(char, " ")
    if category == "Sk":
        return ""
    if category in {"Sm", "So"}:
        return f" {char} "
    return "$" if category == "Sc" else char


def _in_place(char: str) -> str:
    if char in _GROUPING_SPACES:
        return "\u00a0"
    if char in "⁄∕":
        return "/"
    category = unicodedata.category(char)
    if char in _MINUS or category == "Pd":
        return "-"
    if category == "Sc":
        return "$"
    if category == "Nd":
        return str(unicodedata.digit(char))
    if "\uff01" <= char <= "\uff5e":
        return chr(ord(char) - 0xFEE0)
    return {"٫": ".", "٬": ",", "“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "‘": "'"}.get(char, char)


_PLAIN = _Plain({code: chr(code) for code in range(128)})
_IN_PLACE = _InPlace({code: chr(code) for code in range(128)})


def fold(text: str) -> str:
    """The text in the few characters that normalisation knows, case folded; 10² becomes 10^2, not 102.

    >>> fold("１０² €")
    '10^2 $'
    """
    if text.isascii():
        return text.lower()
    text = _RAISED.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
    text = _LOWERED.sub(lambda run: "_" + run[0].translate(_SUBSCRIPTS), text)
    text = _SPACED_GROUPS.sub("", text)
    text = _VULGAR.sub(lambda part: f" {unicodedata.normalize('NFKC', part[0])} ", text)
    text = text.translate(_PLAIN) if _has_signs(text) else text
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return text.translate(_PLAIN)


def _has_signs(text: str) -> bool:
    # These decompose into something else under NFKC, so they have to be met before it.
    return any(sign in text for sign in "™℠´")


def fold_in_place(text: str) -> str:
    """Digits, minus signs, currency, quotes and full-width forms as ASCII, each in its place.

    >>> fold_in_place("−４２ €")
    '-42 $'
    """
    return text if text.isascii() else text.translate(_IN_PLACE)
