"""The letter that stands behind a mark of the answer: "Answer: B", "the answer is **(b)**"."""

from __future__ import annotations

import re

from steelyard.extract import markers
from steelyard.extract.choice.commitment import NO_MORE, commits, is_article
from steelyard.extract.choice.elimination import not_denied
from steelyard.extract.choice.letters import NAMED, Patterns, masked
from steelyard.extract.choice.options import lists_on
from steelyard.extract.choice.phrased import MANY, phrased
from steelyard.extract.choice.rival import has_rival
from steelyard.extract.found import Found, Trace
from steelyard.text.late import late

_WHY = late(
    r"\w[ ]*[,;]?[ ](?:since|because|whereas|unlike)[ ][^,:–—-]*\Z", re.IGNORECASE
)  # "Answer: Chlorine, since A has …"
_FORENAME, _SURNAME = late(r"\b[A-Z](?:[\w'’-]+|\.)[ ]\Z"), late(r"\.[ ]+(?:[A-Z][.\w])")


def marked(shown: str, use: Patterns, trace: Trace | None) -> Found | None:
    """The letter behind the last mark that commits to one; nothing where the last one commits to none."""
    for count, mark in enumerate(markers.marks(shown)):
        if trace is not None:
            trace.add("mark", f"{mark[0].strip()!r}", mark.span())
        found, is_over = _after(shown, mark, use)
        if found or is_over or count > MANY:
            return found
    return None


def _after(shown: str, mark: re.Match[str], use: Patterns) -> tuple[Found | None, bool]:
    """The letter that stands right behind a mark, and whether no earlier mark counts where none does."""
    start = mark.end()
    raw = shown[start : start + 200]
    if raw[1:] in NO_MORE and mark[0][:1] != "\\" and use.one.fullmatch(raw[:1].upper()):
        return Found(
            raw[0].upper(), (start, start + 1), "mark"
        ), True  # most answers end with the letter
    tail = masked(raw)
    letter = use.standing.match(tail) or use.after_mark.match(tail)
    if letter and _heads_list(shown, mark, letter, use):
        return None, False
    if letter and has_rival(raw, letter.end(1), use):
        return None, True
    if letter and commits(raw, tail, letter.span(1), use) and not _ends_list(shown, mark, use):
        return Found(
            letter[1].upper(), (start + letter.start(1), start + letter.end(1)), "mark"
        ), True
    if (
        mark.lastgroup == "colon"
        and (line := _line_after(shown, start))
        and not lists_on(shown, line[0], use)
    ):
        plain = masked(shown)
        return phrased(shown, plain, use, *line) or _only(shown, plain, use, *line), True
    return None, False


def has_committed_mark(shown: str, use: Patterns) -> bool:
    """An "Answer:" with something after it has committed, even if to no letter; a list of options below it has not."""
    lines = (_line_after(shown, m.end()) for m in markers.marks(shown) if m.lastgroup == "colon")
    return any(line and not lists_on(shown, line[0], use) for line in lines)


def _heads_list(shown: str, mark: re.Match[str], letter: re.Match[str], use: Patterns) -> bool:
    """Whether several options stand below the mark, and not one: "Correct answers:\\nB. Iron\\nC. Cobalt"."""
    at = mark.end() + letter.start(1)
    return "\n" in shown[mark.end() - 1 : at] and lists_on(shown, at, use)


def _ends_list(shown: str, mark: re.Match[str], use: Patterns) -> bool:
    """Whether another letter is offered just before the mark: \\boxed{A} or \\boxed{B}."""
    if mark[0][:1] != "\\":
        return False
    before = masked(shown[max(0, mark.start() - 30) : mark.start()])
    return use.list_tail.search(before) is not None


def _line_after(text: str, start: int) -> tuple[int, int] | None:
    """The rest of the line, or the next line that is not blank."""
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if text[start:end].strip():
            return (start, end)
        start = end + 1
    return None


def _only(shown: str, plain: str, use: Patterns, start: int, end: int) -> Found | None:
    """The one letter that stands in the answer's line and is not denied."""
    found = [m for m, _ in zip(use.standing.finditer(plain, start, end), range(MANY), strict=False)]
    good = [m for m in found if not is_article(shown, m.span(1)) and not_denied(plain, m)]
    good = [m for m in good if not _WHY.search(plain, start, m.start(1))]
    if good and (
        NAMED.search(plain, max(0, good[-1].start(1) - 16), good[-1].start(1))
        or _is_initial(plain, good[-1])
    ):
        return None  # Vitamin D, Franklin D. Roosevelt
    if good and len({m[1] for m in good}) == 1 and commits(shown, plain, good[-1].span(1), use):
        return Found(good[-1][1], good[-1].span(1), "answer line")
    return None


def _is_initial(plain: str, letter: re.Match[str]) -> bool:
    start, end = letter.span(1)
    return (
        _SURNAME.match(plain, end) is not None
        and _FORENAME.search(plain, max(0, start - 20), start) is not None
    )
