"""Asterisks that mean something in a name, and those that set a part of a word in bold.

``A*`` is an algorithm and a grade, and not the letter A; but ``*A*`` is only set in italics. ``**Ma**rie`` is Marie.
"""

from __future__ import annotations

import re

from steelyard.text.late import late

#: Stands for the asterisk of a name: no punctuation, so that no folding takes it away.
STAR = "\ue00a"
_LETTER = r"[^\W\d_]"
_STARRED = late(rf"(?<![\w*\\])(?P<open>\**)(?P<letter>{_LETTER})(?P<close>\\?\*+)(?![\w*])")
# An asterisk behind a lone letter; it is found fast, and where there is none nothing more is looked for.
_HINT = late(rf"\*(?<=[\W_]{_LETTER}\*)")
_INNER = late(rf"\*\*(?<={_LETTER}\*\*)(?={_LETTER})")
_OPENING = late(r"(?<![\w*])\*+(?=[^\s*])")
_CLOSING = late(r"(?<=[^\s*])\*+(?!\w|\*)")
# At the beginning of a word or at its end; between two letters it may be a power: a**b**c.
_BOLD_HEAD = late(rf"(?<![\w*])\*\*({_LETTER}{{1,40}})\*\*(?={_LETTER})")
_BOLD_TAIL = late(rf"(?<={_LETTER}{{2}})\*\*({_LETTER}{{2,40}})\*\*(?![\w*])")


def with_stars(text: str) -> str:
    """The text with the asterisk of a name as a letter of it, and without the bold inside a word.

    >>> with_stars("A* search") == f"A{STAR} search", with_stars("*A*"), with_stars("**Ma**rie")
    (True, '*A*', 'Marie')
    """
    if "**" in text:
        text = without_inner_bold(text)
    if not _may_have_star(text):
        return text
    plain = _STARRED.sub(lambda name: _replaced(name, ""), text)
    # What closes italics that begin before it is no part of the name: *Vitamin A*.
    if plain == text or len("".join(_OPENING.findall(plain))) != len(
        "".join(_CLOSING.findall(plain))
    ):
        return text
    return _STARRED.sub(lambda name: _replaced(name, STAR), text)


def is_starred(text: str) -> bool:
    """Whether the text has a name with an asterisk.

    >>> is_starred("A*"), is_starred("**A***"), is_starred("**A**"), is_starred("*Vitamin A*")
    (True, True, False, False)
    """
    bare = text.strip(" .\n")
    inner = bare.strip("*")
    if "*" not in inner and (len(bare) - len(inner)) % 2 == 0:
        return False  # as most, it is only set in bold or italics
    return _may_have_star(text) and STAR in with_stars(text)


def _may_have_star(text: str) -> bool:
    return text[1:2] == "*" or "\\*" in text or _HINT.search(text) is not None


def without_inner_bold(text: str) -> str:
    """The text without the asterisks that set the beginning or the end of a word in bold.

    >>> without_inner_bold("**M**arie and Ma**rie**"), without_inner_bold("a**b**c")
    ('Marie and Marie', 'a**b**c')
    """
    return (
        text if _INNER.search(text) is None else _BOLD_TAIL.sub(r"\1", _BOLD_HEAD.sub(r"\1", text))
    )


def _replaced(name: re.Match[str], star: str) -> str:
    """The name with its own asterisk replaced, which is the one that nothing before it opens."""
    close = name["close"].removeprefix("\\")
    opened = len(name["open"]) or (_still_open(name.string, name.start()) if len(close) > 1 else 0)
    if (len(close) != 1 and len(close) - opened != 1) or name["open"] == close:
        return name[0]
    return f"{name['open']}{name['letter']}{star}{close[1:]}"


def _still_open(text: str, at: int) -> int:
    """How many asterisks that open bold or italics not far before that place have not been closed."""
    before = text[max(0, at - 200) : at]
    return len("".join(_OPENING.findall(before))) - len("".join(_CLOSING.findall(before)))
