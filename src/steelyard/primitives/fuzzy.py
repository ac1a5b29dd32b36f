"""How alike two texts are."""

from __future__ import annotations

from fractions import Fraction

from steelyard.errors import SpecError
from steelyard.primitives.values import describe
from steelyard.registry import PRIMITIVES
from steelyard.score import Score, full, graded, zero
from steelyard.values.compose import compose

# The distance takes time in proportion to the product of the lengths; this much is a few seconds.
MAX_WORK = 200_000_000_000


@PRIMITIVES.register("fuzzy_string")
def fuzzy_string(got: object, want: object) -> Score:
    """The Levenshtein similarity of two texts, apart from case and white space.

    An empty text resembles nothing, not even another empty one.

    >>> fuzzy_string("  The  CAT sat ", "the cat sat").points
    1000.0
    >>> fuzzy_string("cut", "cats").points
    500.0
    """
    if not isinstance(want, str):
        raise SpecError(f"the ground truth is {describe(want)}; a string is needed")
    if not isinstance(got, str):
        return zero(f"expected a string, got {describe(got)}")
    mine, theirs = normal(got), normal(want)
    if not mine:
        return zero("the text is empty")
    if mine == theirs:
        return full("the texts are the same")
    if len(mine) * len(theirs) > MAX_WORK:
        return zero(
            f"{len(mine)} characters are too many to compare with the {len(theirs)} expected"
        )
    from rapidfuzz.distance import Levenshtein

    longest, distance = max(len(mine), len(theirs)), Levenshtein.distance(mine, theirs)
    return graded(
        Fraction(longest - distance, longest), f"{distance} edits in {longest} characters"
    )


def normal(text: str) -> str:
    """NFC, case folded, every run of white space one space, none outside.

    >>> normal(" Stra\\u00dfe  \\n 5 ")
    'strasse 5'
    """
    return " ".join(compose(text).casefold().split())
