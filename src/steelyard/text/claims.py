"""Whether a text claims something that it mentions: not where it is denied, not where it is one of several.

>>> claims("The capital is Canberra.", "canberra"), claims("It is not Canberra.", "canberra")
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from steelyard.text.denial import denied_after, denied_before
from steelyard.text.normal import normalise

# Where none of these words stands, nothing can be denied or offered; most texts are done with that.
_SUSPECT = frozenset((Path(__file__).parent / "suspects.txt").read_text(encoding="utf-8").split())
_SUSPECT_CJK = re.compile("[不没非]")
# Sentence ends, commas and the words that turn a thought close a clause.
_CLAUSE = re.compile(
    r"(?<=[.!?;:,])\s+|[\n;!?()…。，；！？]+|\s[-–—]+\s|,(?=\D)"
    r"|\b(?:but|rather(?! than)|however|although|though|yet)\b",
    re.IGNORECASE,
)
_ASKED_AND_DENIED = re.compile(r"\s*\?\s*no\b", re.IGNORECASE)
_DENIED_CJK = re.compile(r"(?:不是|并非|不|没有|非)$")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def contains(got: str, want: str) -> bool:
    """Whether the normal form ``want`` occurs in ``got``, as whole words where the script separates words.

    >>> contains("in canberra", "canberra"), contains("100", "1"), contains("首都是北京", "北京")
    (True, False, True)
    """
    return next(places(got, want), None) is not None


def places(got: str, want: str) -> Iterator[int]:
    """Where the normal form ``want`` occurs in the normal form ``got``."""
    at = got.find(want)
    while want and at >= 0:
        if _edge(got, at, want[0]) and _edge(got, at + len(want), want[-1]):
            yield at
        at = got.find(want, at + 1)


def claims(text: str, want: str, *, normal: str | None = None, others: tuple[str, ...] = ()) -> bool:
    """Whether the text, where it has ``want`` (a normal form), claims it.

    ``others`` are further right answers: "NYC or New York" offers nothing wrong when both are right.
    """
    normal = normalise(text) if normal is None else normal
    if not contains(normal, want):
        return False
    if normal == want or not _is_suspect(text, normal):
        return True
    verdicts = [
        _verdict(clause, rest, want, others) for clause, rest in _clauses(text) if contains(clause, want)
    ]
    if not verdicts:  # the clauses cut through it: judge it in the whole
        verdicts = [_verdict(normal, "", want, others)]
    decided = [verdict for verdict in verdicts if verdict is not None]
    return bool(decided) and decided[-1]


def _is_suspect(text: str, normal: str) -> bool:
    if not _SUSPECT.isdisjoint(normal.split()) or "/" in text:
        return True
    return not normal.isascii() and _SUSPECT_CJK.search(normal) is not None


def _verdict(clause: str, rest: str, want: str, others: tuple[str, ...]) -> bool | None:
    """True if claimed, False if denied, None if only offered."""
    verdict: bool | None = None
    for at in places(clause, want):
        end = at + len(want)
        if _denied(clause, at, end, rest):
            verdict = False
        elif not _offered(clause[:at], clause[end:], rest, others):
            verdict = True
    return verdict


def _denied(clause: str, at: int, end: int, rest: str) -> bool:
    if denied_before(clause, at) or denied_after(clause, end) or _DENIED_CJK.search(clause, 0, at):
        return True
    if end < len(clause):
        return False
    return _ASKED_AND_DENIED.match(rest) is not None or (rest[:1] in ",(" and denied_after(rest, 0))


def _offered(before: str, after: str, rest: str, others: tuple[str, ...]) -> bool:
    """One of several: "Sydney or Canberra", "Sydney/Canberra", "Sydney, Perth or Canberra"."""
    words = before.split()
    if after.startswith((" or ", " / ")):
        return not any(contains(after[: len(other) + 4], other) for other in others)
    if words[-1:] in (["or"], ["/"]) or (
        words[-2:-1] == ["or"] and words[-1] in {"maybe", "perhaps", "possibly", "even"}
    ):
        return not any(contains(before, other) for other in others)
    return not after.strip() and _LISTED.match(rest) is not None


_LISTED = re.compile(r"(?:\s*,\s*[^,.;:!?\n]{1,40}){0,8}?\s*,?\s*\bor\s+\S", re.IGNORECASE)


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Each clause in normal form, with the raw text that follows it."""
    text = text.replace("/", " / ") if "/" in text else text
    start = 0
    for cut in _CLAUSE.finditer(text):
        if cut.start() > start:
            yield (
                _slashed(text[start : cut.start()]),
                text[cut.start() - 1 if text[cut.start() - 1] in ",?" else cut.start() :],
            )
        start = cut.end()
    yield _slashed(text[start:]), ""


def _slashed(clause: str) -> str:
    """The normal form, with a slash between words kept as the alternative that it means."""
    return (
        " / ".join(normalise(part) for part in clause.split(" / ")) if " / " in clause else normalise(clause)
    )


def _edge(text: str, at: int, char: str) -> bool:
    """Whether a word may begin or end there."""
    if at <= 0 or at >= len(text) or text[at - 1] == " " or text[at] == " ":
        return True
    return not char.isascii() and _UNSPACED.match(char) is not None
