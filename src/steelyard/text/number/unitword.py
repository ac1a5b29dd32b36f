r"""A unit that one writes as a word and another as a sign: 70 degrees and 70^\circ, 20 percent and 20\%, 5 dollars and \$5."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.number.read import read_number
from steelyard.text.number.value import Value, same_value

_WORD = late(
    r"(.{1,60}?)[\s~\\,-]{0,3}(?:\\(?:text|mathrm|textrm)\s?\{\s?)?(degrees?|per\s?cent|dollars?)\s?\}?",
    re.IGNORECASE,
)
_SIGN = late(r"(.{1,60}?)\s?(\^\s?\{?\s?\\circ\s?\}?|\\degree|°|\\?%)|(\\?\$)\s?(.{1,60})")
#: The words that may stand for a sign.
UNIT_WORDS = ("degree", "degrees", "percent", "per", "cent", "dollar", "dollars")
_CUES = ("egree", "ercent", "er cent", "ollar")


def same_in_words(got: str, want: str) -> bool:
    r"""Whether one is the other with its unit in words; a unit that only one of them has is not dropped.

    >>> same_in_words("70 degrees", r"70^\circ"), same_in_words("70 degrees", "70"), same_in_words("70 degrees", r"70\%")
    (True, False, False)
    """
    if not any(cue in got or cue in want for cue in _CUES):
        return False
    left, right = _measured(got), _measured(want)
    return (
        left is not None
        and right is not None
        and left[0] == right[0]
        and same_value(left[1], right[1])
    )


def _measured(text: str) -> tuple[str, Value] | None:
    """The unit's initial and the number."""
    if text[:2] == "$\\" and text[-1] == "$":
        text = text[1:-1]
    if word := _WORD.fullmatch(text):
        unit, figure = word[2][0].lower() + word[2][1].lower(), word[1]
    elif sign := _SIGN.fullmatch(text):
        unit, figure = (
            ("do", sign[4]) if sign[3] else ("pe" if sign[2][-1] == "%" else "de", sign[1])
        )
    else:
        return None
    value = read_number(figure.strip("$ "))
    return None if value is None or _SIGN.fullmatch(figure) else (unit, value)
