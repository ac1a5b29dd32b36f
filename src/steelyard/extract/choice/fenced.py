"""Letters in a block of code that are names of the program, and no choice: print(b)."""

from __future__ import annotations

import re

from steelyard.text.late import late

_LANGUAGE = late(r"```[ \t]*[a-z][\w+#-]{0,15}(?=[ \t]*\n)")
_NAME = late(r"(?<![\w'\"])[A-Za-z](?![\w'\"])")
# A line that says which option is meant, as a comment does, stays as it is.
_TOLD = late(
    r"#|//|(?<![A-Za-z])(?i:answers?|ans|options?|choices?|final(?=[ ]?:)|select(?:ed|ion|s)?)(?![A-Za-z])"
    r"|(?<=[a-z])(?:Answer|Option|Choice)(?![a-z])"
)
_ALONE = late(r"[\s(*]{0,8}[A-Z][\s).*]{0,8}")  # a line of its own for the choice
# "B. print(x)", but not "B: int = 2"
_LABEL = late(
    r"[\s(*]{0,12}[A-Z](?:[).]|:(?![ ]?(?:int|float|str|bool|list|dict|tuple|number|string)\b))[ \t]"
)
# Two words in a row, or around the letter, are a sentence: "I choose C because f(x) = 2".
_PROSE = late(
    r"[A-Za-z][a-z]{2,}[ ,]{1,2}(?:[A-Z][ ,]{1,2})?[a-z]{3}"
    r"|\bI[ ](?!in\b)[a-z]{2}|\b(?:[Ss]o|[Tt]hus|[Hh]ence|[Tt]herefore)[ ,]{1,2}[A-Za-z]|\bis[ ](?:correct|right)\b"
)
_STATEMENT = late(
    r"[ \t]*(?:import|from|for|while|if|elif|else|def|class|return|public|private|protected|static|const|final|int|let|var|select"
    r"|assert|yield|with|not|void|struct|type|func|function|lambda|raise|throw|new|del|global|print)\b"
)
_PLAIN = late(
    r"[ \t]*(?:text|txt|plain(?:text)?|markdown|md)[ \t]*\n", re.IGNORECASE
)  # the language of no program
# What only a program has: a call, an assignment, a statement's end.
_PROGRAM = late(
    r"\w\([^)\n]{0,80}\)|^[ \t]*(?:\w+[ ])?\w+[ ]?(?:[-+*/]?=|\+\+|--)[^=]|;[ \t]*$", re.MULTILINE
)


def without_names(shown: str) -> str:
    r"""The text without the languages of its fences, and without the lone letters of the programs in them.

    >>> without_names("```python\nb = 1\nprint(b)\n```")
    '         \n  = 1\nprint( )\n```'
    >>> without_names("```\n(b)\n```")
    '```\n(b)\n```'
    """
    parts = shown.split("```")
    for place in range(
        1, len(parts), 2
    ):  # what stands between an opening and a closing fence, or is never closed
        if _PROGRAM.search(parts[place]) and not _PLAIN.match(parts[place]):
            closed = place + 1 < len(
                parts
            )  # behind a fence that is not closed, a line counts for itself
            lines = parts[place].split("\n")
            parts[place] = "\n".join(
                _blanked(line) if closed or _PROGRAM.search(line) else line for line in lines
            )
    return _LANGUAGE.sub(lambda fence: " " * len(fence[0]), "```".join(parts))


def _blanked(line: str) -> str:
    if _ALONE.fullmatch(line) or _LABEL.match(line) or _TOLD.search(line):
        return line
    said = (
        min((at for at in map(line.find, "=;") if at >= 0), default=len(line))
        if _is_prose(line)
        else 0
    )
    return line[:said] + _NAME.sub(" ", line[said:])


def _is_prose(line: str) -> bool:
    return _PROSE.search(line) is not None and not _STATEMENT.match(line)
