"""Where agents stand: queries over settled matches and the ledger."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Row,
    Select,
    case,
    cast,
    exists,
    func,
    select,
)

from steelyard.arena.declared import declared, newest
from steelyard.arena.ledger import OVERALL, category_scope, standing
from steelyard.arena.match import RATED
from steelyard.metrics.ability import UNKNOWN, Rated, Tried, fit_tried
from steelyard.store.schema import AGENTS, MATCHES, RATINGS

_RESULTS: Final = ("win", "draw", "loss")


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches count."""

    category: str | None = None
    verified: bool = False
    memoryless: bool = False
    first_attempt: bool = False

    @property
    def scope(self) -> str:
        """The rating that is shown."""
        return OVERALL if self.category is None else category_scope(self.category)


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """An agent's place: `ability` comes from the matches that count, `elo` from the whole ledger of its scope."""

    rank: int
    agent_id: str
    name: str
    base_model: str
    harness: str
    elo: int
    match_count: int
    wins: int
    draws: int
    losses: int
    ability: Rated


def record_of(connection: Connection, agent_id: str) -> dict[str, Any]:
    """An agent's ratings, and how its matches came out."""
    results = connection.execute(
        select(RATINGS.c.result, func.count().label("of"))
        .where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope == OVERALL)
        .group_by(RATINGS.c.result)
    )
    counts: dict[str, int] = {row.result: row.of for row in results}
    scopes = connection.execute(
        select(RATINGS.c.scope)
        .where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope != OVERALL)
        .distinct()
    ).scalars()
    categories = {
        scope.removeprefix("category:"): standing(connection, agent_id, scope).rating
        for scope in sorted(scopes)
    }
    overall = standing(connection, agent_id)
    return {
        "elo": overall.rating,
        "match_count": overall.matches,
        "wins": counts.get("win", 0),
        "draws": counts.get("draw", 0),
        "losses": counts.get("loss", 0),
        "categories": categories,
    }


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody's place, and how hard each challenge turned out to be."""

    places: list[Place]
    difficulties: dict[str, Rated]


def leaderboard(connection: Connection, which: Filter) -> list[Place]:
    """Everybody with a match that counts, by the lower bound of the ability; equal ones share a rank and stand by name."""
    return make_board(connection, which).places


def make_board(connection: Connection, which: Filter) -> Board:
    """The leaderboard, and the difficulties that were fitted with it."""
    about = newest(declared(connection))
    rows = connection.execute(
        _tries(which, [slug for slug, one in about.items() if one.static])
    ).all()
    tried = [
        Tried(agent, slug, round(weight, 12), round(won, 12))
        for agent, slug, weight, won, *_ in rows
        if weight
    ]
    fitted = fit_tried(tried, declared={slug: float(one.opponent) for slug, one in about.items()})
    results: dict[str, list[int]] = {}
    for agent, _, _, _, *counts in rows:
        before = results.get(agent, (0, 0, 0))
        results[agent] = [one + more for one, more in zip(before, counts, strict=True)]
    places = _places(_who(connection), results, fitted.agents, _elos(connection, which.scope))
    return Board(
        places=places, difficulties={str(slug): rated for slug, rated in fitted.challenges.items()}
    )


def _places(
    agents: dict[str, Row[Any]],
    results: dict[str, list[int]],
    fitted: Mapping[Hashable, Rated],
    elos: dict[str, int],
) -> list[Place]:
    abilities = {agent: fitted.get(agent, UNKNOWN) for agent in results}
    order = sorted(
        abilities.items(), key=lambda one: (-round(one[1].lower, 6), agents[one[0]].name)
    )
    return [
        _place(agents[agent], ability, rank, results[agent], elos[agent])
        for rank, (agent, ability) in zip(
            _ranks(ability.lower for _, ability in order), order, strict=True
        )
    ]


def _tries(which: Filter, static: list[str]) -> Select[Any]:
    """What each agent did at each challenge, summed up by the database.

    What wins once wins always where no seed changes the challenge: there only the first attempt is evidence.
    """
    counts = cast(1, Float) / MATCHES.c.attempt
    evidence = (
        case((MATCHES.c.slug.in_(static) & (MATCHES.c.attempt > 1), 0.0), else_=counts)
        if static
        else counts
    )
    won = case((MATCHES.c.result == "win", evidence), else_=0.0)
    words = [
        func.sum(case((MATCHES.c.result == word, 1), else_=0)).label(word) for word in _RESULTS
    ]
    columns = (
        MATCHES.c.agent_id,
        MATCHES.c.slug,
        func.sum(evidence).label("weight"),
        func.sum(won).label("won"),
        *words,
    )
    where: list[ColumnElement[bool]] = [MATCHES.c.state.in_(RATED)]
    if which.category is not None:  # the ledger knows which category a match was rated in
        where.append(
            exists().where(RATINGS.c.match_id == MATCHES.c.id, RATINGS.c.scope == which.scope)
        )
    where += [MATCHES.c.verified.is_(True)] if which.verified else []
    where += [MATCHES.c.memoryless.is_(True)] if which.memoryless else []
    where += [MATCHES.c.attempt == 1] if which.first_attempt else []
    return select(*columns).where(*where).group_by(MATCHES.c.agent_id, MATCHES.c.slug)


def _who(connection: Connection) -> dict[str, Row[Any]]:
    found: Select[Any] = select(
        *(AGENTS.c[name] for name in ("id", "name", "base_model", "harness"))
    )
    return {row.id: row for row in connection.execute(found)}


def _elos(connection: Connection, scope: str) -> dict[str, int]:
    last = (
        select(RATINGS.c.agent_id, func.max(RATINGS.c.sequence).label("sequence"))
        .where(RATINGS.c.scope == scope)
        .group_by(RATINGS.c.agent_id)
        .subquery()
    )
    same = (RATINGS.c.agent_id == last.c.agent_id) & (RATINGS.c.sequence == last.c.sequence)
    found = (
        select(RATINGS.c.agent_id, RATINGS.c.after).join(last, same).where(RATINGS.c.scope == scope)
    )
    return {row.agent_id: row.after for row in connection.execute(found)}


def _ranks(values: Iterable[float]) -> Sequence[int]:
    ranks: list[int] = []
    last: float | None = None
    for place, value in enumerate(values, start=1):
        ranks.append(ranks[-1] if ranks and round(value, 6) == last else place)
        last = round(value, 6)
    return ranks


def _place(agent: Row[Any], ability: Rated, rank: int, results: list[int], elo: int) -> Place:
    wins, draws, losses = results
    return Place(
        rank=rank,
        agent_id=agent.id,
        name=agent.name,
        base_model=agent.base_model,
        harness=agent.harness,
        elo=elo,
        match_count=wins + draws + losses,
        wins=wins,
        draws=draws,
        losses=losses,
        ability=ability,
    )
