"""The letter that is praised, or to which a phrase leads: "B is correct", "so B", "I would pick B"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from steelyard.extract.choice.cases import in_case, several_cases
from steelyard.extract.choice.commitment import affirmed
from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.late import late

_TURN = late(
    r"\b(?:wait|hmm|actually|on second thought|correction|let me (?:re|double|check)|but that|(?:ok|okay),? so)\b", re.IGNORECASE
)
_ALSO = late(r"[^.!?\n]{0,60}\b(?:also|too|as well|equally)\b|[^.!?\n]{0,40}\bso (?:is|are|does) ")
_ALSO_RIGHT = late(r"(?<!\w)([A-Z])[ ]+(?:is|seems|looks)[ ]also[ ](?:correct|right|true|valid)\b")
# Between two letters that are called right: another sentence, or a turn.
_APART = late(r"[.!?;\n]|\b(?:but|however|yet|rather|while|although|though|whereas|than|so|better|best|more)\b", re.IGNORECASE)
#: The most marks and phrases of a response that are looked at; more is not an answer but an attack.
MANY = 200


def phrased(shown: str, plain: str, use: Patterns, start: int, end: int) -> Found | None:
    """The last letter that is praised ("B is correct"), else the one that phrases point to."""
    lone = use.lone.search(plain, start, end)
    if (lone is None or use.whole.search(plain, lone.start(), end) is None) and not _names_small(plain):
        return None
    for pattern, praises in _that_may_find(plain, use, lone, (start, end)):
        found = [m for m, _ in zip(pattern.finditer(plain, start, end), range(MANY), strict=False)]
        good = [m for m in found if affirmed(shown, plain, m, use)]
        if good and "f " in plain and several_cases(plain, use):
            good = [m for m in good if not in_case(plain, m.start(1))]
        chosen = {m[1].upper() for m in good}
        if len(chosen) == 1 and praises and _another_too(plain, good[-1]):
            return None
        if len(chosen) > 1 and (_beside(plain, good) if praises else not _turned(plain, good)):
            return None  # two answers, the second one beside the first
        if good:
            return Found(good[-1][1].upper(), good[-1].span(1), "phrase")
    return None


def _that_may_find(
    plain: str, use: Patterns, lone: re.Match[str] | None, place: tuple[int, int]
) -> Iterator[tuple[re.Pattern[str], bool]]:
    """The patterns that may find a letter there, and whether they praise it; each is slow, and most texts are none of its kind."""
    if lone is not None:
        at = lone.start()
        in_the_end = plain.find("correct", at) >= 0 or plain.find("right", at) >= 0 or plain.find("best", at) >= 0
        yield (use.praised if in_the_end else use.plainly_praised), True
    if (lone and use.closed.search(plain, lone.start(), place[1])) or use.named_small.search(plain, *place):
        yield (use.ascii_phrase if plain.isascii() else use.phrase), False
    if lone is not None and _may_endorse(plain):
        yield use.endorsed, False


def _may_endorse(plain: str) -> bool:
    """Whether a verb stands there by which an option says what was found."""
    return (
        "tates" in plain
        or "ays" in plain
        or "atches" in plain
        or "aptures" in plain
        or "xpresses" in plain
        or "escribes" in plain
        or "eflects" in plain
        or "onveys" in plain
        or "ummari" in plain
        or "otes" in plain
        or "ints out" in plain
        or "entifies" in plain
    )


def _names_small(plain: str) -> bool:
    """Whether a small letter may be named as an option."""
    low = plain.lower()
    return "option" in low or "choice" in low


def _turned(plain: str, good: list[re.Match[str]]) -> bool:
    """Whether the text turns round before its last letter: "so B. Wait, that is the future value. … So D."."""
    other = max(m.end(1) for m in good if m[1].upper() != good[-1][1].upper())
    return other < good[-1].start() and _TURN.search(plain, other, good[-1].start(1)) is not None


def _another_too(plain: str, praised: re.Match[str]) -> bool:
    """Whether another letter is then called right as well: "D is also true"."""
    also = _ALSO_RIGHT.search(plain, praised.end()) if " also " in plain else None
    return also is not None and also[1] != praised[1].upper()


def _beside(plain: str, good: list[re.Match[str]]) -> bool:
    """Whether several are right: "B is also correct", a list with "correct" after more than one, "B is true, and D is true"."""
    others = [m for m in good if m[1].upper() != good[-1][1].upper()]
    if not _APART.search(plain, others[-1].end(1), good[-1].start(1)):
        return True
    listed = all(plain[m.end(1) :].lstrip()[:1] in {*":-–—?"} for m in good)
    return listed or _ALSO.match(plain, good[-1].end(1)) is not None
