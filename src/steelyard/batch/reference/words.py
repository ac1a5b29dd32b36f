"""What is odd about a text as it is written: its Unicode form, and scripts that do not belong together."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator

from steelyard.values.compose import compose

# The International Phonetic Alphabet takes these from the Greek script into words of Latin letters.
PHONETIC = frozenset("βθχ")
# No puzzle has longer texts; what comes later is not looked at.
_LONGEST = 200_000
# Scripts that are written together in one word.
TOGETHER = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
# Words of character names that are no script: letters in other clothes, or letter-like signs.
_CLOTHES = frozenset(
    {"FULLWIDTH", "HALFWIDTH", "CIRCLED", "PARENTHESIZED", "SQUARED", "OUTLINED", "SMALL"}
)
_NO_SCRIPT = frozenset(
    {
        "MODIFIER",
        "MATHEMATICAL",
        "DOUBLE-STRUCK",
        "SCRIPT",
        "BLACK-LETTER",
        "MASCULINE",
        "FEMININE",
        "MICRO",
        "OHM",
        "KELVIN",
        "ANGSTROM",
        "INFORMATION",
        "IDEOGRAPHIC",
        "VERTICAL",
        "ALEF",
        "BET",
        "GIMEL",
        "DALET",
        "TURNED",
    }
)


def has_surrogate(text: str) -> bool:
    """Whether the text holds half of a surrogate pair, which is no character and cannot be written.

    >>> has_surrogate("a\\ud800"), has_surrogate("a")
    (True, False)
    """
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def is_nfc(text: str) -> bool:
    """Whether the text is in the composed form that everything is compared in.

    >>> is_nfc("\\u00e9"), is_nfc("e\\u0301")
    (True, False)
    """
    return text.isascii() or compose(text) == text


def mixed_words(text: str) -> Iterator[tuple[str, str]]:
    """Each word that mixes scripts, and how: what looks like one letter may be another.

    >>> list(mixed_words("p\\u0430per θa"))
    [('pаper', "CYRILLIC 'а' (U+0430) among LATIN letters")]
    """
    if text.isascii():
        return
    for word in _words(text[:_LONGEST]):
        found = _mixture(word)
        if found:
            yield word, found


def _words(text: str) -> Iterator[str]:
    word: list[str] = []
    for char in text:
        if unicodedata.category(char)[0] in "LM":
            word.append(char)
        elif word:
            yield "".join(word)
            word = []
    if word:
        yield "".join(word)


def _mixture(word: str) -> str:
    letters = [(char, script) for char in word if (script := script_of(char))]
    scripts = {script for _, script in letters}
    if "LATIN" in scripts:
        letters = [(char, script) for char, script in letters if char not in PHONETIC]
        scripts = {script for _, script in letters}
    if len(scripts) < 2 or any(scripts <= together for together in TOGETHER):
        return ""
    most = max(sorted(scripts), key=lambda script: sum(own == script for _, own in letters))
    strange = next((char, script) for char, script in letters if script != most)
    return f"{strange[1]} {strange[0]!r} (U+{ord(strange[0]):04X}) among {most} letters"


@functools.lru_cache(maxsize=4096)
def script_of(char: str) -> str:
    """The script of a letter by its name; empty for marks, and for letters that belong to no script.

    >>> script_of("a"), script_of("\\u0301"), script_of("ʰ")
    ('LATIN', '', '')
    """
    if unicodedata.category(char) in {"Lm", "Mn", "Mc", "Me"}:
        return ""
    words = [word for word in unicodedata.name(char, "").split() if word not in _CLOTHES]
    first = words[0] if words else ""
    return "" if first in _NO_SCRIPT else first
