"""Letters in a block of code that are names of the program, and no choice: print(b)."""

from __future__ import annotations

import re

from steelyard.text.late import late

_LANGUAGE = late(r"```[ \t]*[a-z][\w+#-]{0,15}(?=[ \t]*\n)")
_NAME = late(r"(?<![\w'\"])[A-Za-z](?![\w'\"])")
# A line that says which option is meant, as a comment does, stays as it is.
_TOLD = ("nswer", "NSWER", "ption", "hoice", "#", "//", "nal", "elect", "ns")
_ALONE = late(r"[\s(*]{0,8}[A-Z][\s).*]{0,8}")  # a line of its own for the choice
# What only a program has: a call, an assignment, a statement's end.
_PROGRAM = late(r"\w\([^)\n]{0,80}\)|^[ \t]*(?:\w+[ ])?\w+[ ]?(?:[-+*/]?=|\+\+|--)[^=]|;[ \t]*$", re.MULTILINE)


def without_names(shown: str) -> str:
    r"""The text without the languages of its fences, and without the lone letters of the programs in them.

    >>> without_names("```python\nb = 1\nprint(b)\n```")
    '         \n  = 1\nprint( )\n```'
    >>> without_names("```\n(b)\n```")
    '```\n(b)\n```'
    """
    parts = shown.split("```")
    for place in range(1, len(parts), 2):  # what stands between an opening and a closing fence, or is never closed
        if _PROGRAM.search(parts[place]):
            parts[place] = "\n".join(map(_blanked, parts[place].split("\n")))
    return _LANGUAGE.sub(lambda fence: " " * len(fence[0]), "```".join(parts))


def _blanked(line: str) -> str:
    if _ALONE.fullmatch(line) or any(word in line for word in _TOLD):
        return line
    return _NAME.sub(" ", line)
