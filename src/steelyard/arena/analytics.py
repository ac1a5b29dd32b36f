"""What the finished matches say of a challenge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, Select, select

from steelyard.arena.match import RATED, State
from steelyard.metrics.ability import Rated
from steelyard.metrics.clusters import default_interval
from steelyard.metrics.intervals import Interval, wilson_interval
from steelyard.metrics.repeats import over_problems
from steelyard.spec.result import FULL_MARKS, SOLO_WIN_THRESHOLD
from steelyard.store.schema import MATCHES

MOST_TRIES: Final = 5  # up to how many attempts the best, and all, are told
CURVE: Final = 20
_BINS, _WIDTH = 10, 100

Tries = list[
    int | None
]  # the points of an agent's attempts in order; None where our evaluation failed


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """A share with its interval; of nothing there is none."""

    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    of: int


class Tried(Rate, frozen=True, kw_only=True):
    """The same, for one number of attempts, or for the attempt of that number."""

    attempts: int


class Difficulty(msgspec.Struct, frozen=True, kw_only=True):
    """How hard the challenge turned out to be, on Elo's scale."""

    value: float
    lower: float
    upper: float


class Analytics(msgspec.Struct, frozen=True, kw_only=True):
    """A challenge in numbers; what was never submitted to counts as the Loss that it is.

    Attempts of an agent are taken in their order, since an agent learns: ``best_of_k`` is the mean of the best score among
    an agent's first k attempts, and ``pass_hat_k`` the share of agents that won all of them, each over the agents that have
    made so many. ``learning_curve`` is the share that won its first, its second attempt, and so on.
    """

    matches: int
    agents: int
    wins: int
    draws: int
    losses: int
    mean_score: float | None
    distribution: list[int]  # matches with 0–99, 100–199, …, 900–1000 points
    pass_at_1: Rate  # wins among first attempts
    score: Rate  # the mean again, with an interval that knows that an agent's matches are alike
    best_of_k: list[Tried]
    pass_hat_k: list[Tried]
    learning_curve: list[Tried]
    difficulty: Difficulty | None = None


def analytics(connection: Connection, slug: str, *, difficulty: Rated | None = None) -> Analytics:
    """The numbers of all versions of a challenge."""
    ended = (*RATED, State.FAILED)
    columns = (MATCHES.c[name] for name in ("agent_id", "attempt", "state", "score", "result"))
    query: Select[Any] = select(*columns).where(MATCHES.c.slug == slug, MATCHES.c.state.in_(ended))
    rows = connection.execute(query.order_by(MATCHES.c.agent_id, MATCHES.c.attempt)).all()
    found = [row for row in rows if row.state != State.FAILED]
    results = Counter(match.result for match in found)
    scores = [match.score for match in found]
    bins = Counter(min(score // _WIDTH, _BINS - 1) for score in scores)
    first = [match.result == "win" for match in found if match.attempt == 1]
    tries = _tries(rows)
    return Analytics(
        matches=len(found),
        agents=len({match.agent_id for match in found}),
        wins=results["win"],
        draws=results["draw"],
        losses=results["loss"],
        mean_score=sum(scores) / len(scores) if scores else None,
        distribution=[bins[place] for place in range(_BINS)],
        pass_at_1=_rate(sum(first), len(first)),
        score=_mean_score(found),
        best_of_k=_by_count(tries, _best),
        pass_hat_k=_by_count(tries, _all_won),
        learning_curve=_curve(tries),
        difficulty=None if difficulty is None else Difficulty(**difficulty._asdict()),
    )


def _tries(rows: Sequence[Row[Any]]) -> list[Tries]:
    """The attempts of each agent, by their numbers; one that has not ended leaves a hole, as one that failed does."""
    found: dict[str, Tries] = {}
    for row in rows:
        own = found.setdefault(row.agent_id, [])
        own += [None] * (row.attempt - 1 - len(own))
        own.append(None if row.state == State.FAILED else row.score)
    return list(found.values())


def _mean_score(found: Sequence[Row[Any]]) -> Rate:
    if not found:
        return Rate(of=0)
    return _told(
        default_interval(
            [match.score / FULL_MARKS for match in found], [match.agent_id for match in found]
        ),
        FULL_MARKS,
    )


def _by_count(tries: list[Tries], statistic: Callable[[Sequence[int]], float]) -> list[Tried]:
    """The statistic of the first attempt, of the first two, and so on."""
    found = []
    for count in range(1, MOST_TRIES + 1):
        known = [_known(own, count) for own in tries]
        values = [statistic(points) for points in known if points is not None]
        if values:
            found.append(
                _tried(over_problems(values, float), count, FULL_MARKS if statistic is _best else 1)
            )
    return found


def _known(own: Tries, count: int) -> list[int] | None:
    points = [one for one in own[:count] if one is not None]
    return points if len(points) == count else None


def _best(points: Sequence[int]) -> float:
    return max(points) / FULL_MARKS


def _all_won(points: Sequence[int]) -> float:
    return float(min(points) >= SOLO_WIN_THRESHOLD)


def _curve(tries: list[Tries]) -> list[Tried]:
    found = []
    for place in range(min(CURVE, max(map(len, tries), default=0))):
        here = [own[place] for own in tries if len(own) > place]
        values = [_all_won([points]) for points in here if points is not None]
        if values:
            found.append(_tried(default_interval(values), place + 1))
    return found


def _tried(interval: Interval, attempts: int, scale: int = 1) -> Tried:
    rate = _told(interval, scale)
    return Tried(
        attempts=attempts, value=rate.value, lower=rate.lower, upper=rate.upper, of=rate.of
    )


def _told(interval: Interval, scale: int = 1) -> Rate:
    lower, upper = (
        None if bound is None else scale * bound for bound in (interval.lower, interval.upper)
    )
    return Rate(value=scale * interval.value, lower=lower, upper=upper, of=interval.n)


def _rate(hits: int, of: int) -> Rate:
    return _told(wilson_interval(hits, of)) if of else Rate(of=0)
