"""What the finished matches say of a challenge."""

from __future__ import annotations

from collections import Counter

import msgspec
from sqlalchemy import Connection, select

from steelyard.arena.match import RATED
from steelyard.metrics.intervals import wilson_interval
from steelyard.store.schema import MATCHES

_BINS, _WIDTH = 10, 100


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """A share with its interval; of nothing there is none."""

    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    of: int


class Analytics(msgspec.Struct, frozen=True, kw_only=True):
    """A challenge in numbers; what was never submitted to counts as the Loss that it is."""

    matches: int
    agents: int
    wins: int
    draws: int
    losses: int
    mean_score: float | None
    distribution: list[int]  # matches with 0–99, 100–199, …, 900–1000 points
    pass_at_1: Rate  # wins among first attempts


def analytics(connection: Connection, slug: str) -> Analytics:
    """The numbers of all versions of a challenge."""
    found = connection.execute(
        select(MATCHES.c.agent_id, MATCHES.c.attempt, MATCHES.c.score, MATCHES.c.result).where(
            MATCHES.c.slug == slug, MATCHES.c.state.in_(RATED)
        )
    ).all()
    results = Counter(match.result for match in found)
    scores = [match.score for match in found if match.score is not None]
    bins = Counter(min(score // _WIDTH, _BINS - 1) for score in scores)
    first = [match.result == "win" for match in found if match.attempt == 1]
    return Analytics(
        matches=len(found), agents=len({match.agent_id for match in found}), wins=results["win"], draws=results["draw"],
        losses=results["loss"], mean_score=sum(scores) / len(scores) if scores else None,
        distribution=[bins[place] for place in range(_BINS)], pass_at_1=_rate(sum(first), len(first)),
    )  # fmt: skip


def _rate(hits: int, of: int) -> Rate:
    if not of:
        return Rate(of=0)
    found = wilson_interval(hits, of)
    return Rate(value=hits / of, lower=found.lower, upper=found.upper, of=of)
