"""When two stretches say the same to a reader: look-alike letters, digits of any shape and number words are one."""

from __future__ import annotations

import functools
import html
import re
import unicodedata

from steelyard.judge.wording import words
from steelyard.text.fold import fold_in_place

_WORD = re.compile(r"\w+")


def squeeze(text: str) -> str:
    """The words of a text as a reader takes them, in lower case, one blank between two.

    A judge that repeats the work writes plainly what the work has in odd letters, so both are brought to one form.

    >>> squeeze('**Score:** "5"'), squeeze("S\u0441ore: \u2464"), squeeze("Sc\u200bore: five")
    ('score 5', 'score 5', 'score 5')
    """
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = _plain(text)
    named = _named_digits()
    return " ".join(named.get(word, word) for word in _WORD.findall(text.replace("_", " ").casefold()))


def _plain(text: str) -> str:
    # Marks over and through letters go too, and characters that nobody sees.
    seen = (char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char) not in {"Cf", "Mn", "Me"})
    return fold_in_place("".join(seen)).casefold().translate(_look_alikes())


@functools.cache
def _look_alikes() -> dict[int, str]:
    return str.maketrans(words()["look_alikes"])


@functools.cache
def _named_digits() -> dict[str, str]:
    return {word: str(number) for word, number in words()["numbers"].items()}
