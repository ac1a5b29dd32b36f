"""Whether a text says more than a target, told by one word that the target is not written with."""

from __future__ import annotations

import functools

from steelyard.text.fold import fold_latin
from steelyard.text.maths.notation import sign_words
from steelyard.text.normal import ARTICLES
from steelyard.text.number.unitword import UNIT_WORDS
from steelyard.text.number.value import SCALES


@functools.lru_cache(maxsize=4096)
def letters_of(target: str) -> frozenset[str] | None:
    """What the target is written with, in small; None where folding may make other letters of it."""
    low = fold_latin(target)
    return None if low is None else frozenset(low)


def says_more(got: str, letters: frozenset[str] | None) -> bool:
    """Whether a word stands in a text that is not written with these letters, so that no reading of the whole lacks it.

    A text that is read loses its articles, its wrappers, and what stands in the tags and the commands of LaTeX that lay it
    out, and no other word, but for those that are read as numbers, signs or units.

    >>> says_more("It is 42 km.", letters_of("42")), says_more("about 42", letters_of("a tub, or two"))
    (True, False)
    >>> says_more("4 million", letters_of("4000000")), says_more("The 4", letters_of("4"))
    (False, False)
    """
    if letters is None:
        return False
    for word in got.split():
        bare = word.rstrip(",.:;!?")
        if (
            len(bare) > 1
            and bare.isalpha()
            and not letters.issuperset(low := bare.lower())
            and _stays(low)
        ):
            return True
    return False


def _stays(word: str) -> bool:
    """Whether the word is read as it stands; folding may change its letters beyond ASCII (Straße)."""
    return word.isascii() and word not in _read_words()


@functools.cache
def _read_words() -> frozenset[str]:
    """The words that are read as nothing or as something else, and so may stand where a target has none of their letters."""
    scales = (*SCALES, *(f"{word}s" for word in SCALES), "mn", "bn")
    return frozenset((*ARTICLES, *scales, *UNIT_WORDS, *sign_words()))
