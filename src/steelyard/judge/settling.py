"""Which of several verdicts in a reply counts: the last of the plainest; a less plain one only where it corrects those."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from steelyard.judge.candidates import Candidate
from steelyard.judge.own_words import Reply
from steelyard.judge.standing import Rank, is_reconsidered, is_revised


def settle(reply: Reply, found: Sequence[Candidate]) -> Candidate:
    """The verdict of the reply: the last that is the judge's own."""
    best = min(candidate.rank for candidate in found)
    plain = [candidate for candidate in found if candidate.rank == best]
    chosen = plain[0]
    for candidate in _relevant(found, best)[1:]:
        if _value(candidate) == _value(chosen):
            chosen = candidate if candidate.fields or not chosen.fields else chosen
        elif candidate.rank == best or _corrects(reply, chosen, candidate):
            chosen = _taken(reply, candidate)
    return chosen


def _relevant(found: Sequence[Candidate], best: Rank) -> list[Candidate]:
    """The plainest ones, and after the first of them those that may correct it."""
    first = next(place for place, candidate in enumerate(found) if candidate.rank == best)
    return [
        candidate
        for candidate in found[first:]
        if candidate.rank == best or candidate.rank <= Rank.INLINE
    ]


def _corrects(reply: Reply, earlier: Candidate, later: Candidate) -> bool:
    if is_revised(later.around) and not is_revised(earlier.around):
        return True
    return is_reconsidered(reply.prose[earlier.span[1] : later.span[0]])


def _taken(reply: Reply, later: Candidate) -> Candidate:
    """The later one, unless the work has its words: then it may have been copied."""
    if len(later.fields) <= 1 and reply.in_work(later.span):
        return Candidate(None, later.span, "there are two verdicts, and the work has the last one")
    if not later.fields and reply.follows_work(later.span):
        return Candidate(
            None, later.span, "there are two verdicts, and the last stands behind words of the work"
        )
    return later


def _value(candidate: Candidate) -> Any:
    """What is compared: 4 of 5 is 80 of 100."""
    return getattr(candidate.value, "value", candidate.value)
