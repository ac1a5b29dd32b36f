"""Fold digits, dashes, quotes and full-width letters to ASCII, each character in its place."""

from __future__ import annotations

import re
import unicodedata

_OTHER = re.compile(r"[^\x00-\x7f]")
_SIGNS = {
    **dict.fromkeys("\u00a0\u2007\u2009\u202f", "\u00a0"),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("−﹣－˗", "-"),
    **dict.fromkeys("“”«»", '"'),
    **dict.fromkeys("’‘", "'"),
    "٫": ".",
    "٬": ",",
}
# Letters and signs in other forms: full width, mathematical, in circles, in squares.
_FORMS = (
    ("\uff01", "\uff5e", "!"),
    ("\U0001d400", "\U0001d6a3", None),
    ("\u24b6", "\u24e9", None),
    ("\U0001f170", "\U0001f189", "A"),
)


def fold_in_place(text: str) -> str:
    """Return a text with digits, minus signs, currency, quotes and full-width forms as ASCII.

    >>> fold_in_place("−４２ €")
    '-42 $'
    """
    if text.isascii():
        return text
    for char in set(_OTHER.findall(text)):
        if (plain := _plain(char)) != char:
            text = text.replace(char, plain)
    return text


def _plain(char: str) -> str:
    """Return the one character that stands for another."""
    if char in _SIGNS:
        return _SIGNS[char]
    category = unicodedata.category(char)
    if category in {"Pd", "Sc"}:
        return "-" if category == "Pd" else "$"
    if category == "Nd":
        return str(unicodedata.digit(char))
    for first, last, plain in _FORMS:
        if first <= char <= last:
            if plain is None:
                return unicodedata.normalize("NFKC", char)
            return chr(ord(char) - ord(first) + ord(plain))
    return char
