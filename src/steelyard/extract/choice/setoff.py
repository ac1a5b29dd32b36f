"""The letter that brackets, bold or a table's cell set off from the prose."""

from __future__ import annotations

import re

from steelyard.extract.choice.commitment import CONCEDING, commits
from steelyard.extract.choice.conclusion import is_ours
from steelyard.extract.choice.elimination import not_denied
from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.late import late

_SAID_OF = late(r"[ ](?:is|was|are|has|does|can|should|must|will)\b")
# Carbon (C) is no choice.
_SYMBOL = late(
    r"\b(?:carbon|boron|cytosine|adenine|coulombs?|amperes?|celsius|deuterium|area|diameter|distance|density|capacitance|base"
    r"|acceleration|constant|field|vitamin)[ ]\(\Z",
    re.IGNORECASE,
)
# Asp (D) and Cys (C) are residues; where the sentence ends with the bracket, the option may be meant.
_RESIDUE = late(
    r"\b(?:ala(?:nine)?[ ]\(A|cys(?:teine)?[ ]\(C|asp(?:art(?:ate|ic[ ]acid))?[ ]\(D|asparagine[ ]\(N|gly(?:cine)?[ ]\(G"
    r"|glu(?:tamate|tamic[ ]acid)?[ ]\(E|phe(?:nylalanine)?[ ]\(F|his(?:tidine)?[ ]\(H|ile[ ]\(I|isoleucine[ ]\(I)"
    r"\)(?!\s*(?:[.!]|\Z|\n))",
    re.IGNORECASE,
)
# k[A]², [A][B], /[A]: the response writes concentrations.
_CONCENTRATIONS = late(r"(?:[\w\])]|[/=·×][ ]?)\[[A-Z]\](?![(:])|\[[A-Z]\](?:[\^²³/=\[]|[ ][=/])")
# P(B) and \\det(A): the argument of a function
_APPLIED = late(
    r"(?:\\[a-zA-Z]+|\b(?:[A-Za-z]|Pr|Var|Cov|det|dim|rank|ker|tr|log|ln|exp|sin|cos|tan|max|min))\(\Z"
)
_CHOOSES = late(
    r"\b(?:correct|right|choice|answer|option|so|therefore|thus|it is|it['’]s)\b", re.IGNORECASE
)
_OPTION_ASIDE = late(r"\((?:option|choice|answer)[ ]\Z", re.IGNORECASE)
_CONCEDED = late(
    rf"(?:^|[.!?\n,;][ ]*)(?:but[ ])?{CONCEDING}\b(?:[^.!?\n,;]|(?<=\b[A-Z])\.){{0,100}}\Z",
    re.IGNORECASE,
)
_OPENS, _CLOSES = frozenset('(*[`"'), frozenset(')*]`".:')
_MANY = 200  # of a response's letters; more is not an answer but an attack


def set_off(shown: str, plain: str, use: Patterns) -> Found | None:
    """The one letter that brackets or bold set off from the prose."""
    if not _has_wrappers(shown):
        return None
    found = [m for m, _ in zip(use.standing.finditer(plain), range(_MANY), strict=False)]
    labels = "[" in shown and _CONCENTRATIONS.search(shown) is None
    good = [m for m in found if _between_wrappers(shown, m, labels=labels) and not_denied(plain, m)]
    good = [m for m in good if not _quoted(shown, plain, m)]
    good = [m for m in good if not _CONCEDED.search(plain, max(0, m.start(1) - 120), m.start(1))]
    good = [m for m in good if not _follows_another(plain, m, found, use)]
    if good and len({m[1] for m in good}) == 1 and commits(shown, plain, good[-1].span(1), use):
        return Found(good[-1][1], good[-1].span(1), "set off")
    return None


def _has_wrappers(shown: str) -> bool:
    return (
        "(" in shown or "*" in shown or '"' in shown or "[" in shown or "`" in shown or "|" in shown
    )


def _follows_another(
    plain: str, letter: re.Match[str], found: list[re.Match[str]], use: Patterns
) -> bool:
    """Whether it is only the second of two: "either [C] or [D]"; but not where the first one is denied."""
    tail = use.list_tail.search(plain, max(0, letter.start(1) - 16), letter.start(1))
    if tail is None or tail[0][0] == letter[1]:
        return False
    return any(m.start(1) == tail.start() and not_denied(plain, m) for m in found)


def _quoted(shown: str, plain: str, letter: re.Match[str]) -> bool:
    """Whether the letter in quotation marks is only asked for, or somebody else's."""
    start, end = letter.span(1)
    if shown[end : end + 1] != '"':
        return False
    return shown[end + 1 : end + 2] == "?" or not is_ours(plain, start)


def _opens_or_ends(shown: str, start: int, end: int) -> bool:
    """Whether the line begins or ends with what stands there."""
    first, stop = shown.rfind("\n", 0, start) + 1, shown.find("\n", end)
    return not shown[first:start].strip(" *_#>-") or not shown[
        end : stop if stop >= 0 else len(shown)
    ].strip(" *_.!")


def _is_notation(shown: str, start: int, end: int) -> bool:
    """Whether the bracket before the letter holds an argument, or the code of the residue that is named."""
    if _APPLIED.search(shown, max(0, start - 12), start):
        return True
    residue = _RESIDUE.search(shown, max(0, start - 16), end + 4)
    return residue is not None and not _CHOOSES.search(shown, max(0, start - 80), start)


def _between_wrappers(shown: str, match: re.Match[str], *, labels: bool) -> bool:
    """Whether the letter is set off; ``labels`` tells whether square brackets may hold an option's, and no concentration."""
    start, end = match.span(1)
    if shown[end : end + 1] == ")" and _OPTION_ASIDE.search(shown, max(0, start - 8), start):
        return True
    if shown[end : end + 2].strip()[:1] == "|":
        return shown[max(0, start - 2) : start].strip()[-1:] == "|"  # alone in the cell of a table
    if shown[start - 1 : start] not in _OPENS or shown[end : end + 1] not in _CLOSES:
        return False
    if shown[end : end + 1] == "`" and _SAID_OF.match(shown, end + 1):
        return False
    if _SYMBOL.search(shown, max(0, start - 24), start) and not _CHOOSES.search(
        shown, max(0, start - 80), start
    ):
        return False
    if shown[start - 1 : start] == "(" and _is_notation(shown, start, end):
        return False
    return shown[start - 1 : start] != "[" or (labels and _opens_or_ends(shown, start - 1, end + 1))
