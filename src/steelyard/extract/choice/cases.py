"""Letters that hold only under conditions: "If it is hot, B is right. If it is cold, D would be."."""

from __future__ import annotations

from itertools import islice

from steelyard.extract.choice.letters import Patterns
from steelyard.text.late import late

_CASE = late(
    r"\b[Ii]f\b(?![ ](?:i|we|you)[ ](?:had|have|must)\b|[ ](?:forced|pressed|asked)\b)[^.;!?\n]{1,90}\Z"
)
_SAID = late(r"[ ]+(?:would|is|makes|fits|must|could|works)\b")
_MANY = 60  # letters; more is not an answer but an attack


def several_cases(plain: str, use: Patterns) -> bool:
    """Whether the text gives different letters under different conditions."""
    letters = islice(use.standing.finditer(plain), _MANY)
    return (
        len({m[1] for m in letters if _SAID.match(plain, m.end(1)) and in_case(plain, m.start(1))})
        > 1
    )


def in_case(plain: str, start: int) -> bool:
    """Whether the letter there stands under a condition, in its sentence.

    >>> in_case("If it is hot, B is right.", 14), in_case("If it is hot. B is right.", 14)
    (True, False)
    """
    return _CASE.search(plain, max(0, start - 100), start) is not None
