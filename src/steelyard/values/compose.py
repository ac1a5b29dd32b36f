"""Unicode normal forms in linear time.

Python sorts a run of combining marks by insertion, in quadratic time: 400,000 marks on one letter
take minutes. Long runs are sorted beforehand.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from typing import Literal

Form = Literal["NFC", "NFKC", "NFKD"]
# No word has so many marks; shorter runs and shorter texts need no help.
_LONG_TEXT, _LONG_RUN = 5_000, 500


def compose(text: str, form: Form = "NFC") -> str:
    """Return a text in a normal form.

    >>> compose("e\\u0301") == "\\u00e9", compose("\\uff21", "NFKC")
    (True, 'A')
    """
    if text.isascii():
        return text
    if len(text) > _LONG_TEXT and _may_hold_long_run(text, form):
        text = _long_runs(form).sub(lambda run: _in_order(run[0], form), text)
    return unicodedata.normalize(form, text)


def _may_hold_long_run(text: str, form: Form) -> bool:
    # A sample is enough: every long run has a character at one of these places.
    return any(_is_mark(char, form) for char in text[:: _LONG_RUN // 2] if char > "\x7f")


def _in_order(run: str, form: Form) -> str:
    """Return the marks of a run in canonical order; marks of one class keep their order."""
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
