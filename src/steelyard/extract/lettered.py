"""Options with letters, and after them the letter alone: "A. Perth\\nB. Hobart\\n\\nThe correct option is B." says Hobart."""

from __future__ import annotations

import re

from steelyard.extract.choice.find import find_choice
from steelyard.text.claim.claims import contains
from steelyard.text.late import late
from steelyard.text.normal import normalise

_OPTION_LINE = late(
    r"^[ \t*_>-]*\(?([A-Ha-h])[.):][*_]{0,2}[ \t]+([^\n]{1,80}?)[*_. \t]*$", re.MULTILINE
)
_OPTION_INSIDE = late(r"\(([A-Ha-h])\)[ ]([^\n()]{1,60}?)[ ,;.]*(?=\([B-Hb-h]\)[ ]|\n)")
_LETTERS = "ABCDEFGH"
_LONGEST = 3000


def chosen_option(text: str) -> str | None:
    r"""The text of the option whose letter the response names after it has listed all of them.

    >>> chosen_option("A) Perth\nB) Hobart\n\nAnswer: B"), chosen_option("A) Perth\nB) Hobart")
    ('Hobart', None)
    """
    if not _may_list_options(text):
        return None
    options = _options(text)
    rest = text[options[-1].end() :] if options else ""
    if not rest.strip() or _OPTION_LINE.search(rest):
        return None
    chosen = find_choice(rest.strip(), letters="A-H")
    return next(
        (option[2] for option in options if chosen and option[1].upper() == chosen.value), None
    )


def another_letter_chosen(text: str, want: str) -> bool:
    """Whether the text has the normal form only in its options, and then names the letter of another one."""
    chosen = chosen_option(text)
    if chosen is None or contains(normalise(chosen), want):
        return False
    options = _options(text)
    outside = text[: options[0].start()] + text[options[-1].end() :]
    return not contains(normalise(outside), want)


def _may_list_options(text: str) -> bool:
    return (
        "\n" in text
        and len(text) <= _LONGEST
        and any(mark in text for mark in ("B.", "B)", "B:", "b)", "b."))
    )


def _options(text: str) -> list[re.Match[str]]:
    """The options, each with its letter and its text; none unless the letters are the first ones, in their order."""
    for pattern in (_OPTION_LINE, _OPTION_INSIDE):
        found = list(pattern.finditer(text))
        if (
            len(found) > 1
            and "".join(option[1] for option in found).upper() == _LETTERS[: len(found)]
        ):
            return found
    return []
