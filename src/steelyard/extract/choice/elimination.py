"""The letter that is left when a response strikes out the others: "Not A, B or D. C."."""

from __future__ import annotations

import re
from itertools import groupby

from steelyard.extract.choice.commitment import commits, is_article, ruled_out
from steelyard.extract.choice.letters import NAMED, Patterns
from steelyard.extract.found import Found
from steelyard.text.claim.denial import denied_after, denied_before
from steelyard.text.late import late

_SHORT = 200
_TORN = late(r"\bbetween[ ]+[A-Z][ ]+(?:and|or)[ ]+\Z")
# "A, B and C are wrong. Not sure about D."
_UNSURE_OF = late(
    r"\b(?:idk|dunno|unsure|not[ ](?:\w+[ ])?(?:sure|certain)|(?:no|have[ ]no)[ ]idea|do(?:n['’]?t| not)[ ]know)"
    r"[ ](?:about|of|if|whether|what)[ ]+(?:option[ ]+)?\Z",
    re.IGNORECASE,
)
_AND_ANOTHER = late(r"[ ]+(?:and|or)[ ]+[A-Z](?!\w)")
_NOT_ABROAD = late(r"(?:不是|并非|不选|không phải(?: là)?)\s*\Z")
_JOINED = late(
    r"[ \t]*(?:,|/|&|\b(?:and|or|nor|to|through|thru)\b)(?:[ \t,]|\b(?:and|or|nor|options?|choices?)\b)*"
)


def left_over(shown: str, plain: str, use: Patterns) -> Found | None:
    """The one letter of a short response that is not denied, where others are."""
    if len(shown) > _SHORT:
        return None
    found = [m for m in use.standing.finditer(plain) if not is_article(shown, m.span(1))]
    if len({m[1] for m in found}) < 2:
        return None
    kept = [match for letters in kept_lists(plain, found) for match in letters]
    denied = {m[1] for m in found} - {m[1] for m in kept}
    if not denied or len({m[1] for m in kept}) != 1:
        return None
    if any(
        plain[m.end(1) : m.end(1) + 1] == "?" or _TORN.search(plain, 0, m.start(1)) for m in kept
    ):
        return None
    if any(
        NAMED.search(plain, max(0, m.start(1) - 16), m.start(1))
        or _AND_ANOTHER.match(plain, m.end(1))
        for m in kept
    ):
        return None  # a cluster C disorder rather than a cluster B one; both H and S
    if any(_UNSURE_OF.search(plain, max(0, m.start(1) - 40), m.start(1)) for m in kept):
        return None
    return (
        Found(kept[-1][1], kept[-1].span(1), "left over")
        if commits(shown, plain, kept[-1].span(1), use)
        else None
    )


def _lists(plain: str, found: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """The letters, those together that stand in one list: what denies one of "A, B or D" denies all."""
    numbers: list[int] = []
    for before, this in zip([None, *found], found, strict=False):
        joined = before is not None and _JOINED.fullmatch(plain, before.end(1), this.start(1))
        numbers.append(numbers[-1] if joined else len(numbers))
    grouped = groupby(zip(numbers, found, strict=True), key=lambda pair: pair[0])
    return [[match for _, match in pairs] for _, pairs in grouped]


def kept_lists(plain: str, found: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """The letters that nothing denies, those of one list together."""
    return [
        letters
        for letters in _lists(plain, found)
        if all(not_denied(plain, match) for match in letters)
    ]


def not_denied(plain: str, match: re.Match[str]) -> bool:
    """Whether nothing around the letter says that it is not the answer."""
    if not plain.isascii() and _NOT_ABROAD.search(
        plain, max(0, match.start(1) - 20), match.start(1)
    ):
        return False
    return not (
        denied_before(plain, match.start(1))
        or denied_after(plain, match.end(1))
        or ruled_out(plain, match.start(1))
    )
