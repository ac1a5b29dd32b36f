"""A verdict that is one of a few words: yes or no, A or B or a tie."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from steelyard.judge.candidates import Candidate, Form
from steelyard.judge.own_words import Span
from steelyard.judge.wording import words

YES_NO = ("yes", "no")
PAIR = ("first", "second", "tie")
_MORE = re.compile(r"[ \t*_]{0,3}(?:/|\||\bor\b|\band\b)[ \t*_]{0,3}\w", re.IGNORECASE)


@functools.cache
def choice_form(choices: tuple[str, ...]) -> Form:
    """One of the choices, each by any of its words."""
    meaning = {word.casefold(): choice for choice in choices for word in words()[choice]}
    either = "|".join(sorted(map(re.escape, meaning), key=len, reverse=True))
    pattern = rf"(?P<word>(?:{either})(?![\w']))"
    return Form(
        pattern,
        functools.partial(_read, meaning),
        tuple(words()["verdict_keys"]),
        functools.partial(_take, meaning),
    )


def _read(meaning: Mapping[str, str], match: re.Match[str]) -> Candidate | None:
    if _MORE.match(match.string, match.end()):
        return Candidate(None, match.span(), "the verdict names more than one choice")
    if len(match["word"]) == 1 and match["word"].isascii() and match["word"].islower():
        return None  # "a" is a word, "A" an answer
    return Candidate(meaning[match["word"].casefold()], match.span())


def _take(meaning: Mapping[str, str], fields: Mapping[str, Any], key: str, span: Span) -> Candidate:
    given = fields[key]
    said = {True: "yes", False: "no"}.get(given) if isinstance(given, bool) else given
    found = meaning.get(said.strip(" \t.*_\"'").casefold()) if isinstance(said, str) else None
    if found is None:
        return Candidate(
            None,
            span,
            f"the verdict is {str(given)[:40]!r}, none of {', '.join(sorted(set(meaning.values())))}",
        )
    return Candidate(found, span)
