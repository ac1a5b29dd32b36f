"""The words by which a text denies, withdraws and offers what it mentions, out of ``words.txt``."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path


@functools.cache
def _sections() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            found[next(reversed(found))].append(line)
    return {name: tuple(lines) for name, lines in found.items()}


def words(section: str) -> tuple[str, ...]:
    """The phrases of one section, in the order of the file.

    >>> "scratch that" in words("correction")
    True
    """
    return _sections()[section]


def any_of(*sections: str) -> str:
    """A pattern for any phrase of the sections in running text, the longest first.

    >>> bool(re.fullmatch(any_of("correction"), "that’s   wrong"))
    True
    """
    phrases = sorted(
        {phrase for section in sections for phrase in words(section)}, key=len, reverse=True
    )
    return f"(?:{by_initial(map(_in_text, phrases))})"


def by_initial(alternatives: Iterable[str]) -> str:
    """The alternatives of a pattern that ignores case, behind their first letters: where none of those stands, nothing is tried.

    >>> by_initial(["thus", "so", "then", "[.!]"])
    '(?-i:[Tt])(?:hus|hen)|(?-i:[Ss])(?:o)|[.!]'
    """
    found: dict[str, list[str]] = {}
    for alternative in alternatives:
        first = alternative[0]
        found.setdefault(first if first.isalpha() else "", []).append(alternative)
    others = found.pop("", [])
    return "|".join([*(_behind(first, same) for first, same in found.items()), *others])


def _behind(first: str, alternatives: list[str]) -> str:
    rest = "|".join(alternative[1:] for alternative in alternatives)
    return f"(?-i:[{''.join({first.upper()[0]: 0, first: 0})}])(?:{rest})"


def beginnings(*sections: str) -> str:
    """A pattern for any phrase of the sections as it begins a sentence or not, fast where none is there.

    >>> bool(re.match(beginnings("second thought"), "Actually")), bool(re.match(beginnings("second thought"), "act"))
    (True, False)
    """
    by_letter: dict[str, list[str]] = {}
    for phrase in sorted(
        {phrase for section in sections for phrase in words(section)}, key=len, reverse=True
    ):
        by_letter.setdefault(phrase[0], []).append(_in_text(phrase[1:]))
    return "|".join(
        f"[{first.upper()}{first}](?:{'|'.join(rest)})" for first, rest in by_letter.items()
    )


def hints(*sections: str) -> str:
    """A pattern that matches wherever ``beginnings`` does, and seldom elsewhere, by the first four characters alone.

    >>> bool(re.match(hints("second thought"), "Actuary")), bool(re.match(hints("second thought"), "Answer"))
    (True, False)
    """
    by_letter: dict[str, set[str]] = {}
    for phrase in {phrase for section in sections for phrase in words(section)}:
        start = _in_text(phrase[1:4])
        by_letter.setdefault(phrase[0], set()).add(
            start if len(phrase) <= 4 else start.removesuffix(r"\b")
        )
    return "|".join(
        f"[{first.upper()}{first}](?:{'|'.join(sorted(rest))})"
        for first, rest in sorted(by_letter.items())
    )


def capitals(section: str) -> str:
    """A pattern for any phrase of the section that begins with a capital letter, tried letter by letter.

    >>> bool(re.fullmatch(capitals("negators"), "Never")), bool(re.fullmatch(capitals("negators"), "never"))
    (True, False)
    """
    by_letter: dict[str, list[str]] = {}
    for phrase in sorted(words(section), key=len, reverse=True):
        by_letter.setdefault(phrase[0].upper(), []).append(re.escape(phrase[1:]))
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in by_letter.items())


def phrases(section: str) -> str:
    """A pattern for any phrase of the section in marked text, the longest first.

    >>> phrases("turns")
    '(?:although|however|instead|sondern|rather|though|maar|mais|sino|utan|but|mas|yet)'
    """
    return "(?:" + "|".join(sorted(words(section), key=lambda phrase: (-len(phrase), phrase))) + ")"


def _in_text(phrase: str) -> str:
    escaped = re.escape(phrase).replace("\\ ", "[ \\t]+").replace("'", "['’]?")
    return escaped + (r"\b" if phrase[-1].isalpha() else "")
