"""Characters of all scripts, folded to the few that the rules speak of.

Two tables for ``str.translate``, filled as characters are met: a whole table of Unicode would cost
more at import than most runs ever use.
"""

from __future__ import annotations

import re
import unicodedata

from steelyard.text.compose import compose
from steelyard.text.late import late

APOSTROPHES = "'’‘‛ʼʻʹ′`´＇׳"
_DROPPED_SIGNS = "°™®©℠✓✔✅☑"
_MINUS = "−﹣－˗"
_GROUPING_SPACES = "\u00a0\u2007\u2009\u202f"
# Invisible letters and marks that Unicode does not class as format characters.
_BLANK_LETTERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
# Letters and signs in other dresses: full width, other founts, in circles, in squares.
_DRESSED = (
    ("\uff01", "\uff5e", "!"),
    ("\U0001d400", "\U0001d6a3", None),
    ("\u24b6", "\u24e9", None),
    ("\U0001f170", "\U0001f189", "A"),
)
_RAISED = late("[⁰¹²³⁴-⁹⁺⁻⁽⁾ⁿⁱʰ-ʸˠ-ˤᴬ-ᵡ]+")
_ORDINAL = late("(?<=[0-9])(?:ˢᵗ|ⁿᵈ|ʳᵈ|ᵗʰ|ᵉʳ|ᵉ)")
_LOWERED = late("([₀-₉]+)(?=([0-9])?)")
_TIMES = late(r"(?<=\d)[·⋅](?=\d)")
_SPACED_GROUPS = late(rf"(?<=\d)[{_GROUPING_SPACES}](?=\d{{3}}(?!\d))")
_VULGAR = late("[¼½¾⅐-⅞↉]")
# A joined emoji, 👩‍⚕️, is one sign: it goes or stays whole, and ⚕ alone is not what is left of it.
_SIGN = "[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]{0,2}"
_JOINED = late(f"{_SIGN}(?:\u200d{_SIGN})+")
# A typographic minus is never a bullet: the blank after it changes nothing.
# So is a hyphen that a no-break space binds to its number.
_SET_APART = late(
    rf"(?:^|(?<=[=(\[{{$:,]))\s{{0,3}}(?:[{_MINUS}][ \u00a0]|-[\u00a0\u202f])(?=[\d.\\√])"
)


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
    if char >= "\U0001f000" and category[0] == "S":
        return " "  # an emoji decorates; where nothing else is there, the texts themselves are compared
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
    if char in "♭♯♮":
        return char  # B♭ is another note than B
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
    for first, last, plain in _DRESSED:
        if first <= char <= last:
            return (
                unicodedata.normalize("NFKC", char)
                if plain is None
                else chr(ord(char) - ord(first) + ord(plain))
            )
    return {"٫": ".", "٬": ",", "“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "‘": "'"}.get(
        char, char
    )


_PLAIN = _Plain({code: chr(code) for code in range(128)})
_IN_PLACE = _InPlace({code: chr(code) for code in range(128)})


# Anything but ASCII, composed Latin letters that NFKC leaves alone, and the common quotes and dashes.
_BEYOND_LATIN = late("[^\x00-\x7fÀ-ÖØ-öø-ıĴ-ĿŁ-ňŊ-ž“”‘’–—…]")


_BEYOND_ASCII = late("[^\x00-\x7f]")


def fold(text: str) -> str:
    """The text in the few characters that normalisation knows, case folded; 10² becomes 10^2, not 102.

    >>> fold("１０² €")
    '10^2 $'
    """
    if text.isascii():
        return text.lower()
    if not _BEYOND_LATIN.search(text):
        return _latin(text)
    if any(sign in text for sign in _MINUS) or "-\u00a0" in text or "-\u202f" in text:
        text = _SET_APART.sub("-", text)
    if "\u200d" in text:
        text = _JOINED.sub(" ", text)
    text = _ORDINAL.sub(lambda run: _nfkc(run[0]), text)
    text = _RAISED.sub(lambda run: "^" + _nfkc(run[0]).replace("−", "-"), text)
    text = _LOWERED.sub(_lowered, text)
    text = _TIMES.sub("×", _SPACED_GROUPS.sub("", text))
    text = _VULGAR.sub(_vulgar, text)
    text = text.translate(_PLAIN) if _has_signs(text) else text
    return _nfkc(_nfkc(text).casefold()).translate(_PLAIN)


def is_latin(low: str) -> bool:
    """Whether a folded text holds nothing but Latin letters and ASCII."""
    return low.isascii() or not _BEYOND_LATIN.search(low)


def fold_latin(text: str) -> str | None:
    """What ``fold`` gives for a text of Latin letters and ASCII; None for any other.

    >>> fold_latin("São Paulo"), fold_latin("北京")
    ('são paulo', None)
    """
    if text.isascii():
        return text.lower()
    return None if _BEYOND_LATIN.search(text) else _latin(text)


def leaves_latin(low: str) -> bool:
    """Whether a folded Latin text holds what only folding puts into one: the dots of İ and Ŀ."""
    return not low.isascii() and ("\u0307" in low or "ŀ" in low)


def _latin(text: str) -> str:
    low = text.casefold().replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return low.replace("–", "-").replace("—", "-").replace("…", " ")


def light(text: str) -> str:
    """The text with only case, width and blanks evened out and invisible characters gone.

    >>> light(" \u200b€ "), light("Ａ")
    ('€', 'a')
    """
    if text.isascii():
        return " ".join(text.lower().split())
    shown = (
        char
        for char in text
        if char not in _BLANK_LETTERS and (not _invisible(char) or char > "\U000e0000")
    )
    return " ".join(_nfkc("".join(shown)).casefold().split())


def _invisible(char: str) -> bool:
    category = unicodedata.category(char)
    return (
        category == "Cf"
        or (category == "Cc" and not char.isspace())
        or "\ufe00" <= char <= "\ufe0f"
    )


def _nfkc(text: str) -> str:
    return compose(text, "NFKC")


def _lowered(run: re.Match[str]) -> str:
    """H₂O is H2O, but 10₂ is not 102 and log₂8 not log28."""
    digit_before = run.start() > 0 and run.string[run.start() - 1].isdigit()
    return ("_" if digit_before else "") + _nfkc(run[1]) + (" " if run[2] else "")


def _vulgar(part: re.Match[str]) -> str:
    """A fraction after a digit makes a mixed number."""
    mixed = part.start() > 0 and part.string[part.start() - 1].isdigit()
    return (" " if mixed else "") + _nfkc(part[0])


def _has_signs(text: str) -> bool:
    # These decompose into something else under NFKC, so they have to be met before it.
    return any(sign in text for sign in "™℠´")


def fold_in_place(text: str) -> str:
    """Digits, minus signs, currency, quotes and full-width forms as ASCII, each in its place.

    >>> fold_in_place("−４２ €")
    '-42 $'
    """
    if text.isascii():
        return text
    # A text has few kinds of other characters: replacing each is many times faster than a table for all.
    for char in set(_BEYOND_ASCII.findall(text)):
        plain = _IN_PLACE[ord(char)]
        if plain != char:
            text = text.replace(char, plain)
    return text
