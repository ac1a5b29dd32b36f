"""Words as single characters of the private use area: what is packed after that is a third smaller.

Deflate looks back 32 kilobytes, and the words of many answers come from much further away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

FIRST, OWN = 0xE000, "\uf8ff"
MOST_WORDS = 6399  # all of the area but the last, which says that the next character is itself
_WORD = re.compile(r"( ?[^\W_]+)")
_PRIVATE = re.compile("([\ue000-\uf8ff])")


def common_words(texts: Iterable[str]) -> list[str]:
    """The words that save most, the most frequent first."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(_WORD.findall(text))
    worth = [
        (count * (len(word) - 2), word)
        for word, count in seen.items()
        if len(word) > 2 and count > 2
    ]
    best = [word for _, word in sorted(worth, reverse=True)[:MOST_WORDS]]
    return sorted(best, key=lambda word: (-seen[word], word))


class Words:
    """A list of words, by which texts are shortened."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self._codes = {word: chr(FIRST + number) for number, word in enumerate(words)}

    def shortened(self, text: str) -> str:
        """The text with each known word as one character.

        >>> Words([" the", "cat"]).shortened("in the cat").encode("ascii", "backslashreplace")
        b'in\\\\ue000 cat'
        """
        if _PRIVATE.search(text):
            text = _PRIVATE.sub(OWN + r"\1", text)
        if not self._codes:
            return text
        code, pieces = self._codes.get, _WORD.split(text)
        pieces[1::2] = [
            code(word, word) for word in pieces[1::2]
        ]  # between them stands what is no word
        return "".join(pieces)
