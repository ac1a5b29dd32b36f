"""Where agents stand: queries over settled matches and the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, func, select

from steelyard.arena.ledger import OVERALL, category_scope, standing
from steelyard.metrics.ability import Played, Rated, fit_ratings
from steelyard.store.schema import AGENTS, MATCHES, RATINGS


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
        select(RATINGS.c.scope).where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope != OVERALL).distinct()
    ).scalars()
    categories = {
        scope.removeprefix("category:"): standing(connection, agent_id, scope).rating
        for scope in sorted(scopes)
    }
    overall = standing(connection, agent_id)
    return {
        "elo": overall.rating, "match_count": overall.matches, "wins": counts.get("win", 0),
        "draws": counts.get("draw", 0), "losses": counts.get("loss", 0), "categories": categories,
    }  # fmt: skip


def newest_event(connection: Connection) -> int:
    """The number of the ledger's last entry: while it stays, so does every board."""
    return connection.execute(select(func.max(RATINGS.c.id))).scalar() or 0


def leaderboard(connection: Connection, which: Filter) -> list[Place]:
    """Everybody with a match that counts, by the lower bound of the ability; equal ones share a rank and stand by name."""
    played = connection.execute(_matches(which)).all()
    fitted = fit_ratings(Played(m.agent_id, m.slug, m.attempt, m.result == "win") for m in played).agents
    results = Counter((match.agent_id, match.result) for match in played)
    elos = _elos(connection, which.scope)
    agents = {row.id: row for row in connection.execute(select(AGENTS)) if row.id in fitted}
    order = sorted(fitted.items(), key=lambda one: (-round(one[1].lower, 6), agents[str(one[0])].name))
    return [
        _place(agents[str(agent)], ability, rank, results, elos[str(agent)])
        for rank, (agent, ability) in zip(_ranks(ability.lower for _, ability in order), order, strict=True)
    ]


def _matches(which: Filter) -> Any:
    joined = MATCHES.join(RATINGS, RATINGS.c.match_id == MATCHES.c.id)
    where = [RATINGS.c.scope == which.scope]
    where += [MATCHES.c.verified.is_(True)] if which.verified else []
    where += [MATCHES.c.memoryless.is_(True)] if which.memoryless else []
    where += [MATCHES.c.attempt == 1] if which.first_attempt else []
    columns = (MATCHES.c.agent_id, MATCHES.c.slug, MATCHES.c.attempt, MATCHES.c.result)
    return select(*columns).select_from(joined).where(*where)


def _elos(connection: Connection, scope: str) -> dict[str, int]:
    last = (
        select(RATINGS.c.agent_id, func.max(RATINGS.c.sequence).label("sequence"))
        .where(RATINGS.c.scope == scope)
        .group_by(RATINGS.c.agent_id)
        .subquery()
    )
    same = (RATINGS.c.agent_id == last.c.agent_id) & (RATINGS.c.sequence == last.c.sequence)
    found = select(RATINGS.c.agent_id, RATINGS.c.after).join(last, same).where(RATINGS.c.scope == scope)
    return {row.agent_id: row.after for row in connection.execute(found)}


def _ranks(values: Iterable[float]) -> Sequence[int]:
    ranks: list[int] = []
    last: float | None = None
    for place, value in enumerate(values, start=1):
        ranks.append(ranks[-1] if ranks and round(value, 6) == last else place)
        last = round(value, 6)
    return ranks


def _place(agent: Row[Any], ability: Rated, rank: int, results: Counter[tuple[Any, Any]], elo: int) -> Place:
    wins, draws, losses = (results[agent.id, word] for word in ("win", "draw", "loss"))
    return Place(
        rank=rank, agent_id=agent.id, name=agent.name, base_model=agent.base_model, harness=agent.harness, elo=elo,
        match_count=wins + draws + losses, wins=wins, draws=draws, losses=losses, ability=ability,
    )  # fmt: skip
