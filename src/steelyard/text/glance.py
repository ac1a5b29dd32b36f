"""What of a text can be told without its normal form: that it cannot hold an answer, or claims it where it is said last.

Only plain texts in Latin letters are told at a glance, and only where the whole reading must come to the same.
"""

from __future__ import annotations

from itertools import pairwise

from steelyard.text.claims import contains, judged
from steelyard.text.fold import fold, is_latin
from steelyard.text.normal import normalise

_NOT_ALNUM = bytes(c for c in range(128) if not chr(c).isalnum())
_BETWEEN = (b"", b"the", b"a", b"an", b"s")  # two words of a normal form: articles and possessive endings
_LONG = 1500
_BEFORE, _AFTER = 300, 500  # of a mention: more than anyone looks at


def glance(text: str, want: str, others: tuple[str, ...] = ()) -> bool | None:
    """True if the text claims the normal form, False if it cannot hold it nor be a part of it, None if that is not clear.

    >>> glance("The harbour lay quiet, and nobody had come down to the boats yet.", "canberra")
    False
    """
    if len(text) <= 4 * len(want) + 8 or not want.replace(" ", "").isalpha():
        return None
    if "\\" in text or "<" in text or "`" in text or not (is_latin(text) and is_latin(want)):
        return None
    low = fold(text)
    if len(text) <= _LONG and want in low:
        return None
    # The normal form loses letters only with whole articles, so each word of it stands in what is squeezed.
    squeezed = low.encode().translate(None, _NOT_ALNUM)
    if len(squeezed) <= 4 * len(want) + 8:
        return None
    if not _may_hold(squeezed, want.encode().split()):
        return False
    return _said_last(text, low, squeezed, want, others) if len(text) > _LONG else None


def _may_hold(squeezed: bytes, words: list[bytes]) -> bool:
    """Whether the words stand in it one after the other, with at most what the normal form leaves out between."""
    if len(words) == 1:
        return words[0] in squeezed
    return all(
        any(left + between + right in squeezed for between in _BETWEEN) for left, right in pairwise(words)
    )


def _said_last(text: str, low: str, squeezed: bytes, want: str, others: tuple[str, ...]) -> bool | None:
    """Whether a long text claims it where it is said last; not told where it is also said in another spelling."""
    if len(low) != len(text) or low.count(want) != squeezed.count(want.replace(" ", "").encode()):
        return None
    at = low.rfind(want)
    start, end = max(0, at - _BEFORE), min(len(text), at + len(want) + _AFTER)
    start = text.find(" ", start, at) + 1 if start else 0
    end = text.rfind(" ", at + len(want), end) if end < len(text) else end
    part = text[start:end]
    normal = normalise(part)
    return judged(part, want, normal, others) if end > at and contains(normal, want) else None
