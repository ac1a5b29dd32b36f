"""The letter that is praised, or to which a phrase leads: "B is correct", "so B", "I would pick B"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from steelyard.extract.choice.affirmation import affirmed
from steelyard.extract.choice.cases import in_case, several_cases
from steelyard.extract.choice.letters import Patterns, phrase_in
from steelyard.extract.found import Found
from steelyard.text.late import late

_TURN = late(
    r"\b(?:wait|hmm|actually|on second thought|correction|let me (?:re|double|check)|but that|(?:ok|okay),? so)\b",
    re.IGNORECASE,
)
_ALSO = late(r"[^.!?\n]{0,60}\b(?:also|too|as well|equally)\b|[^.!?\n]{0,40}\bso (?:is|are|does) ")
_ALSO_RIGHT = late(r"(?<!\w)([A-Z])[ ]+(?:is|seems|looks)[ ]also[ ](?:correct|right|true|valid)\b")
# Between two letters that are called right: another sentence, or a turn.
_APART = late(
    r"[.!?;\n]|\b(?:but|however|yet|rather|while|although|though|whereas|than|so|better|best|more)\b",
    re.IGNORECASE,
)
#: The most marks and phrases of a response that are looked at; more is not an answer but an attack.
MANY = 200


def phrased(shown: str, plain: str, use: Patterns, start: int, end: int) -> Found | None:
    """The last letter that is praised ("B is correct"), else the one that phrases point to."""
    lone = use.lone.search(plain, start, end)
    if (lone is None or use.whole.search(plain, lone.start(), end) is None) and not _names_small(
        plain
    ):
        return None
    for praises, found in _found(plain, use, lone, (start, end)):
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


def _found(
    plain: str, use: Patterns, lone: re.Match[str] | None, place: tuple[int, int]
) -> Iterator[tuple[bool, list[re.Match[str]]]]:
    """What each pattern finds there, and whether it praises; all are slow, so only those are tried that may find something."""
    if lone is not None:
        praised = use.praised if _is_praised_late(plain, lone.start()) else use.plainly_praised
        yield True, list(islice(praised.finditer(plain, lone.start(), place[1]), MANY))
    yield False, _led_to(plain, use, place)
    if lone is not None and _may_endorse(plain):
        yield False, list(islice(use.endorsed.finditer(plain, lone.start(), place[1]), MANY))


def _led_to(plain: str, use: Patterns, place: tuple[int, int]) -> list[re.Match[str]]:
    """The letters to which phrases lead; nothing is looked for behind the last one that closes a phrase."""
    start, end = place
    found: list[re.Match[str]] = []
    small = use.named_small.search(plain, start, end) if _names_small(plain) else None
    while len(found) < MANY and (closed := small or use.closed.search(plain, start, end)):
        opening = start if small else _opening(plain, start, closed.start())
        match = phrase_in(plain, use).search(plain, opening, end)
        if match is None:
            break
        found.append(match)
        start = match.end()
    return found


def _is_praised_late(plain: str, at: int) -> bool:
    """Whether a word follows by which a letter may be called right at the end of its sentence."""
    return (
        plain.find("correct", at) >= 0
        or plain.find("right", at) >= 0
        or plain.find("best", at) >= 0
    )


def _opening(plain: str, start: int, at: int) -> int:
    """From where a phrase may lead to the letter there: no phrase begins in the sentence before, but for "not X. But B"."""
    stop = plain.rfind(". ", start, at)
    if (
        stop < start + 2
        or not plain[stop - 2 : stop].isalpha()
        or not plain[stop + 2 : stop + 3].isupper()
    ):
        return start
    return start if plain[stop + 2 : stop + 8].lower().startswith(("but", "rather")) else stop + 2


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
