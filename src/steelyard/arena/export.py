"""The arena line by line: for anybody without keys, ground truth and submissions; for its operator with what is asked for.

Matches come first, each with its rating events, and then the agents and challenges that they name: however long it takes and
whoever plays meanwhile, nothing in it refers to what is not there.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Column, Connection, Table, select

from steelyard.arena.match import RATED, State
from steelyard.store.database import Database
from steelyard.store.schema import AGENTS, CHALLENGES, MATCHES, RATINGS

Kind = Literal["match", "rating", "agent", "challenge"]
PUBLIC: Final[dict[Kind, tuple[str, ...]]] = {
    "match": (
        "id",
        "agent_id",
        "slug",
        "version",
        "attempt",
        "memoryless",
        "state",
        "entered_at",
        "deadline",
        "submitted_at",
        "finished_at",
        "score",
        "result",
        "verified",
        "scorer",
    ),
    "rating": (
        "id",
        "match_id",
        "agent_id",
        "scope",
        "sequence",
        "result",
        "opponent",
        "k",
        "bonus",
        "before",
        "after",
        "at",
    ),
    "agent": ("id", "name", "base_model", "harness", "created_at"),
    "challenge": ("slug", "version", "digest", "scorer", "published_at", "retired_at"),
}
_KEYS: Final[dict[Kind, tuple[Table, tuple[str, ...]]]] = {
    "match": (MATCHES, ("id",)),
    "agent": (AGENTS, ("id",)),
    "challenge": (CHALLENGES, ("slug", "version")),
}
_AT_ONCE, _BULKY_AT_ONCE = 1000, 20  # a submission may have a megabyte
_ENCODER = msgspec.json.Encoder()


class More(msgspec.Struct, frozen=True, kw_only=True):
    """What only the operator may have: what agents submitted and were told, failed matches too; the truth and the seeds."""

    submissions: bool = False
    truth: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns of a match that come on top."""
        told = ("submission", "outcome", "failure") if self.submissions else ()
        return told + (("seed", "truth") if self.truth else ())


async def export(database: Database, more: More = More()) -> AsyncIterator[bytes]:  # noqa: B008 — it cannot be changed
    """Lines of JSON, each with its `kind`; a stretch at a time, so that a large arena needs little memory."""
    for kind in _KEYS:
        last: tuple[Any, ...] | None = None
        while True:
            read = functools.partial(_stretch, kind=kind, last=last, more=more)
            lines, last = await database.read(read)
            if last is None:
                break
            yield lines


def _stretch(
    connection: Connection, kind: Kind, last: tuple[Any, ...] | None, more: More
) -> tuple[bytes, tuple[Any, ...] | None]:
    """The lines after that key, and the key of the last of them."""
    table, key = _KEYS[kind]
    extra = more.fields if kind == "match" else ()
    query = select(*(table.c[name] for name in (*PUBLIC[kind], *extra))).order_by(
        *(table.c[name] for name in key)
    )
    if kind == "match":
        query = query.where(
            MATCHES.c.state.in_((*RATED, State.FAILED) if more.submissions else RATED)
        )
    if last is not None:
        query = query.where(_after([table.c[name] for name in key], last))
    rows = [
        dict(row)
        for row in connection.execute(query.limit(_BULKY_AT_ONCE if extra else _AT_ONCE)).mappings()
    ]
    if not rows:
        return b"", None
    events = _events(connection, [row["id"] for row in rows]) if kind == "match" else []
    lines = [*(_line(kind, row) for row in rows), *(_line("rating", event) for event in events)]
    return b"".join(lines), tuple(rows[-1][name] for name in key)


def _events(connection: Connection, matches: list[str]) -> Iterator[dict[str, Any]]:
    """The rating events of these matches. They are asked for second: a match that has ended has them by then."""
    columns = (RATINGS.c[name] for name in PUBLIC["rating"])
    query = select(*columns).where(RATINGS.c.match_id.in_(matches)).order_by(RATINGS.c.id)
    yield from (dict(row) for row in connection.execute(query).mappings())


def _line(kind: Kind, row: dict[str, Any]) -> bytes:
    for name in ("submission", "outcome", "truth"):
        if (
            row.get(name) is not None
        ):  # JSON already; on one line, and otherwise as it was handed in
            row[name] = msgspec.Raw(msgspec.json.format(row[name], indent=-1))
    return _ENCODER.encode({"kind": kind, **row}) + b"\n"


def _after(key: list[Column[Any]], last: tuple[Any, ...]) -> Any:
    head, *rest = key
    if not rest:
        return head > last[0]
    return (head > last[0]) | ((head == last[0]) & _after(rest, last[1:]))
