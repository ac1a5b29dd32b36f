"""The letter of an option that a response writes out: "B) Paris", "- [x] B", "b) mitosis"."""

from __future__ import annotations

import functools
import re

from steelyard.extract.choice.commitment import commits
from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.claim.denial import denied_after
from steelyard.text.late import late

_REFUTED = late(r"\b(?:wrong|incorrect|not|false)\b|n['’]t\b", re.IGNORECASE)
# "A: Let me think" begins an answer, and is not option A.
_THINKS = late(
    r"[ ]?:[ \t]+(?:(?:Let|I|We|To|First|Okay|Ok|Well|Sure|Hmm|Looking|So|Yes|No)\b"
    r"|The (?:answer|question|correct)\b|(?:no idea|not sure|unsure|unknown|none)\b)"
)
_INITIALS = late(r"\.[ ]?(?:[A-Z]\.[ ]?){1,2}[A-Z][a-z]")  # B. F. Skinner
_SMALL = late(r"\s*\(?([a-z])\)[ \t]+\S")
# "- C. Oxygen is released."
_LISTED = late(r"[ \t]{0,12}([-*•+]?)[ \t]{0,4}[*_(]{0,3}([A-Z])([).:]{1,2})[*_]{0,3}[ \t]+(?=\S)")
# "- B", with nothing behind it
_LETTER_ALONE = late(
    r"[ \t]{0,12}(?:([-*•+]|\d{1,2}[.)])[ \t]{1,4})?[*_(`]{0,3}([A-Z])[).*_`,;]{0,4}[ \t]*(?:\n|\Z)"
)
_TICKS = frozenset("✅✔✓☑")
_TICKED = late(r"\[[xX✓✔]\][ \t*(]{1,4}")
# "Let's go through the choices.\n\nA) …" has only begun.
_WALK = late(
    r"\b(?:choices|options|answers|each|one by one|step by step|statements)\b[^.!?\n]{0,40}[.:!]?\s*\Z",
    re.IGNORECASE,
)
_PLURAL = late(
    r"\b(?:answers|options|choices|ones|letters|statements)\b[^\n]{0,20}\n\s{0,20}\Z", re.IGNORECASE
)
_MANY = 200  # of a response's options; more is not an answer but an attack


def option_line(shown: str, plain: str, use: Patterns) -> Found | None:
    """A response that begins with "B) Paris", where no other option stands but those it refutes."""
    options = _options(plain, use)
    if not options:
        return None
    first = options[0]
    ticked = first[0].lstrip()[:1] in _TICKS
    if (ticked or plain[: first.start()].strip()) and not _closes(plain, options):
        return None
    rest = [
        m
        for m in options[1:]
        if m[1] != first[1] and not _REFUTED.search(*_rest_of_line(plain, m.end()))
    ]
    if (
        rest
        or _goes_on(shown, first)
        or _in_formula(shown, first)
        or _THINKS.match(shown, first.end(1))
        or _INITIALS.match(shown, first.end(1))
        or not commits(shown, plain, first.span(1), use)
    ):
        return None
    return Found(first[1], first.span(1), "option")


def _options(plain: str, use: Patterns) -> list[re.Match[str]]:
    """The options that begin a line; the pattern itself would look for a line's beginning at every character."""
    found: list[re.Match[str]] = []
    start = 0
    while len(found) < _MANY:
        if option := use.option.match(plain, start):
            found.append(option)
        start = plain.find("\n", start) + 1
        if start == 0:
            break
    return found


def lists_on(shown: str, at: int, use: Patterns) -> bool:
    """Whether the option in whose line that place is is the first of several under one label: "Correct:\\nA) …\\nD) …".

    Those that are refuted, and what stands behind a blank line, are no part of the list.
    """
    begin = shown.rfind("\n", 0, at) + 1
    if alone := _LETTER_ALONE.match(shown, begin):
        return _is_another(alone, _LETTER_ALONE.match(shown, alone.end()))
    first = _LISTED.match(shown, begin)
    end = shown.find("\n", at)
    while (
        first
        and end >= 0
        and (line := _LISTED.match(shown, end + 1))
        and line[1] == first[1]
        and line[3] == first[3]
    ):
        end = shown.find("\n", line.end())
        if use.one.fullmatch(line[2]) and line[2] != first[2]:
            # A list ascends; below "C) Cobalt" a line for A explains why not A.
            several = (
                line[2] > first[2] or _PLURAL.search(shown, max(0, begin - 60), begin) is not None
            )
            return several and not _REFUTED.search(
                shown, line.end(), end if end >= 0 else len(shown)
            )
    return False


def _is_another(first: re.Match[str], below: re.Match[str] | None) -> bool:
    """Whether the line below holds another letter alone, in the same dress."""
    return below is not None and below[2] != first[2] and bool(below[1]) == bool(first[1])


def ends_in_list(body: str, use: Patterns) -> bool:
    """Whether the text ends with several letters, each in a line of its own."""
    last = body.rfind("\n")
    if last < 0:
        return False
    above = body.rfind("\n", 0, last) + 1
    alone = _LETTER_ALONE.match(body, above)
    if alone is None or not use.one.fullmatch(alone[2]):
        return False
    return _is_another(alone, _LETTER_ALONE.match(body, alone.end()))


def _in_formula(shown: str, first: re.Match[str]) -> bool:
    r"""Whether the letter opens a formula, as a set or a matrix does in "$A \\cup B$"."""
    start, end = first.span(1)
    return (
        shown[start - 1 : start] == "$"
        and shown[end : end + 1] != "$"
        and shown.find("$", end) >= 0
    )


def _closes(plain: str, options: list[re.Match[str]]) -> bool:
    """Whether the only option stands in a last line that is set apart: "So v = 12.\\n\\nB. 12"."""
    start = options[0].start()
    alone = len(options) == 1 and "\n" not in plain[start:].strip()
    if not alone or not plain[:start].rstrip(" \t").endswith("\n\n"):
        return False
    return _WALK.search(plain, max(0, start - 120), start) is None


def _goes_on(shown: str, first: re.Match[str]) -> bool:
    """Whether the next letter's option follows in the line: "A) x B) y" lists, and chooses nothing."""
    text, start, end = _rest_of_line(shown, first.end(1))
    following = chr(ord(first[1]) + 1)
    return (
        text.find(following, start, end) >= 0
        and _listed(following).search(text, start, end) is not None
    )


@functools.cache
def _listed(letter: str) -> re.Pattern[str]:
    """The letter as the label of an option in a line of them."""
    return re.compile(
        rf"(?<=\s)[*(\"']{{0,3}}{re.escape(letter)}[\"']?(?:[).:]|[ ]?[-–→][ ]?[(\d])"
        r"(?![ ]*(?:is|was|would|does|has|isn|cannot)\b)"
    )


def _rest_of_line(text: str, start: int) -> tuple[str, int, int]:
    end = text.find("\n", start)
    return text, start, len(text) if end < 0 else end


def small_option(shown: str, use: Patterns) -> Found | None:
    """A response that begins with "b) mitosis" and names no other option so."""
    first = _SMALL.match(shown)
    if first is None or not use.one.fullmatch(first[1].upper()):
        return None
    others = re.compile(rf"(?<![\w(])\(?(?!{first[1]})[a-z]\)(?:[ \t]+\S|[.,;]?\s*\Z)")
    if others.search(shown, first.end()) or denied_after(shown, first.end(1) + 1):
        return None
    return Found(first[1].upper(), first.span(1), "option")


def ticks(shown: str) -> bool:
    """Whether the response ticks boxes."""
    return "[" in shown and _TICKED.search(shown) is not None


def ticked_box(shown: str, use: Patterns) -> Found | None:
    """The one option whose box is ticked: "- [x] B"."""
    first, *more = _TICKED.finditer(shown)
    letter = None if more else use.standing.match(shown, first.end())
    return Found(letter[1], letter.span(1), "ticked") if letter else None
