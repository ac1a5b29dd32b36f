"""The letter that a response chose.

A letter counts as a whole word that is committed to: "A or B", "not B" and "Both" choose nothing, and the
last committed letter wins.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from steelyard.extract import markers
from steelyard.extract.found import Found, Trace
from steelyard.registry import EXTRACTORS
from steelyard.text.denial import denied_after, denied_before
from steelyard.text.fold import fold_in_place
from steelyard.text.visible import visible
from steelyard.text.wrap import unwrap

_BLANKED = str.maketrans(dict.fromkeys('*_`$()[]{}"\\', " "))
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_LEAD = r"(?:(?:the|is|it'?s|it is|correct|best|right|final|option|choice|letter|answer|[:=])[ \t]*)*'?"
_FREE = r"(?<![\w'’.+#&\-])"
_WHOLE = r"(?![\w+#&]|['’\-]\w|\.\w(?!\w))"
_SAID = (
    "options?|choices?|letter|choose|chose|pick|but|rather|select|go(?:ing)? with|think|probably|likely|guess|say|"
    "believe|definitely|certainly|clearly|it'?s|it is|must be|would be|should be|is|be|hence|thus|so|therefore|"
    "->|=>|→|⇒"
)
_FOLLOWED_BY_WORD = re.compile(r"[ \t]+(?!(?:because|since|as|is|was|for|due|given|per|by|and|or)\b)[a-z]")


class Patterns(NamedTuple):
    """The patterns for one set of letters."""

    after_mark: re.Pattern[str]
    standing: re.Pattern[str]
    option: re.Pattern[str]
    praised: re.Pattern[str]
    phrase: re.Pattern[str]
    rival: re.Pattern[str]


@functools.lru_cache(maxsize=32)
def patterns(letters: str) -> Patterns:
    """The patterns for letters such as ``A-D`` or ``ABCDE``, compiled once."""
    one = f"[{letters}]" if "-" in letters else f"[{re.escape(letters)}]"
    return Patterns(
        after_mark=re.compile(rf"\s*{_LEAD}({one}){_WHOLE}", re.IGNORECASE),
        standing=re.compile(rf"{_FREE}({one}){_WHOLE}"),
        option=re.compile(
            rf"^[ \t]*({one})(?:[ \t]?(?:[.:,\-–—]|(?<=[ \t]))[ \t]+\S|[ \t]+(?:because|since|as|for|due)\b)",
            re.MULTILINE,
        ),
        praised=re.compile(
            rf"{_FREE}({one})[ \t,]+(?:is|must be|seems|looks)[ \t]+"
            r"(?:(?:the|most|clearly|definitely)[ \t]+)*(?:correct|right|answer|best|true)\b"
        ),
        phrase=re.compile(
            rf"(?<!\w)(?:{_SAID})[ \t:]*(?:(?:the|it'?s|it is|option|choice|letter|answer)[ \t]+)*({one}){_WHOLE}"
        ),
        rival=re.compile(
            r"[ \t]*(?P<by>[,/&+|\-–]|\b(?:or|and|to|vs)\b)?[ \t]*(?:(?:or|and)\b[ \t]*)?(?:(?:option|choice)[ \t]+)?"
            rf"{one}(?!\w|['’]\w)(?P<verb>[ \t]+[a-z])?"
        ),
    )


@EXTRACTORS.register("choice")
def find_choice(text: str, *, letters: str = "A-D", trace: Trace | None = None) -> Found | None:
    r"""The chosen letter in upper case, with its verbatim place.

    >>> find_choice("Not (A). The answer is **b**.")
    Found(value='B', span=(25, 26), stage='mark')
    >>> find_choice("A or B") is None
    True
    """
    shown = fold_in_place(visible(text))
    use = patterns(letters)
    found = _bare(shown, letters) or _marked(shown, use, trace)
    if found is None and not _has_committed_mark(shown):
        found = _unmarked(shown, masked(shown), use)
    if trace is not None:
        told = f"by {found.stage}" if found else f"no letter of {letters} is committed to"
        trace.add("choice", f"{found.value if found else 'nothing'}: {told}", found.span if found else None)
    return found


def commits(masked: str, start: int, end: int, rival: re.Pattern[str]) -> bool:
    """Whether the letter at that place stands alone: no rival beside it, not denied after it."""
    if end == len(masked):
        return True
    letter = masked[start:end]
    if letter in "AIai" and _FOLLOWED_BY_WORD.match(masked, end):
        return False
    if letter == "a" and re.compile(r"[ \t]+\w").match(masked, end):
        return False
    beside = rival.match(masked, end)
    if beside and not (beside["verb"] and beside["by"] in {None, ",", "-", "–"}):
        return False
    return not denied_after(masked, end)


def masked(shown: str) -> str:
    """The text with wrappers blanked, each character in its place."""
    if "\\" in shown:
        shown = _COMMAND.sub(lambda command: " " * len(command[0]), shown)
    return shown.translate(_BLANKED)


def _bare(shown: str, letters: str) -> Found | None:
    """The whole response is the letter."""
    if len(shown) > 60:
        return None
    start, end = unwrap(shown, (0, len(shown)), brackets=True)
    while end > start and shown[end - 1] in ".):,;! ":
        end -= 1
    if end - start == 1 and re.fullmatch(f"[{letters}]", shown[start].upper()):
        return Found(shown[start].upper(), (start, end), "bare")
    return None


def _marked(shown: str, use: Patterns, trace: Trace | None) -> Found | None:
    for mark in markers.marks(shown):
        start = mark.end()
        if trace is not None:
            trace.add("mark", f"{mark[0].strip()!r}", mark.span())
        tail = masked(shown[start : start + 200])
        letter = use.after_mark.match(tail)
        if letter and commits(tail, *letter.span(1), use.rival):
            return Found(letter[1].upper(), (start + letter.start(1), start + letter.end(1)), "mark")
        if mark.lastgroup == "colon" and (line := _line_after(shown, start)):
            plain = masked(shown)
            return _phrased(plain, use, *line) or _only(plain, use, *line, "answer line")
    return None


def _has_committed_mark(shown: str) -> bool:
    """An "Answer:" with something after it has committed, even if to no letter."""
    return any(m.lastgroup == "colon" and _line_after(shown, m.end()) for m in markers.marks(shown))


def _line_after(text: str, start: int) -> tuple[int, int] | None:
    """The rest of the line, or the next line that is not blank."""
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if text[start:end].strip():
            return (start, end)
        start = end + 1
    return None


def _unmarked(shown: str, masked: str, use: Patterns) -> Found | None:
    whole = (0, len(masked))
    options = list(use.option.finditer(masked))
    if len({option[1] for option in options}) == 1 and not masked[: options[0].start()].strip():
        start, end = options[0].span(1)
        if commits(masked, start, end, use.rival):
            return Found(options[0][1], (start, end), "option")
    return _phrased(masked, use, *whole) or _lone_line(masked, use) or _set_off(shown, masked, use)


def _phrased(masked: str, use: Patterns, start: int, end: int) -> Found | None:
    """The last letter that is praised ("B is correct"), else the one that phrases point to."""
    for pattern in (use.praised, use.phrase):
        good = [
            m
            for m in pattern.finditer(masked, start, end)
            if not denied_before(masked, m.start(1))
            and not markers.taken_back(masked, m.start(1))
            and commits(masked, *m.span(1), use.rival)
            and not _TAIL_OF_LIST.search(masked, max(start, m.start(1) - 12), m.start(1))
        ]
        if good and (pattern is use.praised or len({m[1] for m in good}) == 1):
            return _found(good[-1], "phrase")
    return None


_TAIL_OF_LIST = re.compile(r"\b[A-Z][ \t]*(?:,|/|&|\bor\b|\band\b)[ \t]*(?:or[ \t]+|and[ \t]+)?$")


def _only(masked: str, use: Patterns, start: int, end: int, stage: str) -> Found | None:
    """The one letter that stands in a line and is not denied."""
    good = [
        m
        for m in use.standing.finditer(masked, start, end)
        if not denied_before(masked, m.start(1))
        and not denied_after(masked, m.end(1))
        and not (m[1] in "AI" and _FOLLOWED_BY_WORD.match(masked, m.end(1)))
    ]
    return _found(good[-1], stage) if good and len({m[1] for m in good}) == 1 else None


def _lone_line(masked: str, use: Patterns) -> Found | None:
    """A last or a first line that holds the letter alone."""
    body = masked.strip()
    offset = masked.find(body[:1]) if body else 0
    starts = {"last line": offset + body.rfind("\n") + 1, "first line": offset}
    for stage, start in starts.items():
        end = masked.find("\n", start)
        line = masked[start : end if end >= 0 else len(masked)]
        letter = use.standing.match(masked, start + len(line) - len(line.lstrip()))
        if letter and not masked[letter.end(1) : start + len(line)].strip(" .:,;!"):
            return _found(letter, stage)
    return None


def _set_off(shown: str, masked: str, use: Patterns) -> Found | None:
    """The one letter that brackets or bold set off from the prose."""
    good = [
        m
        for m in use.standing.finditer(masked)
        if shown[m.start(1) - 1 : m.start(1)] in {"(", "*", "[", "`", '"'}
        and shown[m.end(1) : m.end(1) + 1] in tuple(')*]`".:')
        and not denied_before(masked, m.start(1))
        and not denied_after(masked, m.end(1))
    ]
    if good and len({m[1] for m in good}) == 1 and commits(masked, *good[-1].span(1), use.rival):
        return _found(good[-1], "set off")
    return None


def _found(match: re.Match[str], stage: str) -> Found:
    return Found(match[1].upper(), match.span(1), stage)
