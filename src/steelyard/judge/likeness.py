"""When two stretches say the same to a reader: look-alike letters, digits of any shape and number words are one."""

from __future__ import annotations

import functools
import html
import re
import unicodedata

from steelyard.judge.folding import fold_in_place
from steelyard.judge.wording import words
from steelyard.values.compose import compose

_WORD = re.compile(r"\w+")


class _Seen(dict[int, str]):
    """For ``str.translate``, filled as characters are met: those that nobody sees go, and marks over and through letters."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = seen = "" if unicodedata.category(char) in {"Cf", "Mn", "Me"} else char
        return seen


_SEEN = _Seen()


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
    return " ".join(
        named.get(word, word) for word in _WORD.findall(text.replace("_", " ").casefold())
    )


def _plain(text: str) -> str:
    seen = compose(text, "NFKD").translate(_SEEN)
    return fold_in_place(seen).casefold().translate(_look_alikes())


@functools.cache
def _look_alikes() -> dict[int, str]:
    return str.maketrans(words()["look_alikes"])


@functools.cache
def _named_digits() -> dict[str, str]:
    return {word: str(number) for word, number in words()["numbers"].items()}
