"""Unicode's normal forms, in a time that the text's length bounds.

Python puts a run of combining marks in order by moving each past its neighbours, which takes the square of the run's
length: 400,000 marks on one letter cost minutes. A long run is sorted beforehand, so that nothing is left to move.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from typing import Literal

Form = Literal["NFC", "NFKC", "NFKD"]
# No word has so many marks; shorter runs, and what is in a shorter text, are quick as they are.
_LONG_TEXT, _LONG_RUN = 5_000, 500


def compose(text: str, form: Form = "NFC") -> str:
    """The text in the normal form, however long its runs of combining marks are.

    >>> compose("e\\u0301") == "\\u00e9", compose("\\uff21", "NFKC")
    (True, 'A')
    """
    if text.isascii():
        return text
    if len(text) > _LONG_TEXT and _may_hold_long_run(text, form):
        text = _long_runs(form).sub(lambda run: _in_order(run[0], form), text)
    return unicodedata.normalize(form, text)


def _may_hold_long_run(text: str, form: Form) -> bool:
    # No long run slips through, and of all others only a few characters are looked at.
    return any(_is_mark(char, form) for char in text[:: _LONG_RUN // 2] if char > "\x7f")


def _in_order(run: str, form: Form) -> str:
    """The marks of a run in canonical order: marks of one class keep theirs."""
    marks = "".join(_taken_apart(mark, form) for mark in run)
    return "".join(sorted(marks, key=unicodedata.combining))


def _taken_apart(char: str, form: Form) -> str:
    return unicodedata.normalize("NFD" if form == "NFC" else "NFKD", char)


def _is_mark(char: str, form: Form) -> bool:
    return bool(unicodedata.combining(_taken_apart(char, form)[0]))


@functools.cache
def _long_runs(form: Form) -> re.Pattern[str]:
    marks = (char for char in map(chr, range(128, sys.maxunicode + 1)) if _is_mark(char, form))
    mark = f"[{''.join(map(re.escape, marks))}]"
    return re.compile(f"{mark}{mark}{{{_LONG_RUN - 1},}}")  # the first one alone is found faster
