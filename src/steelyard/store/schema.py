"""The tables. Facts only: ratings, ranks and streaks are queries over them.

Moments are whole microseconds since 1970, by the server's clock.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

META = MetaData()
# SQLite numbers rows by itself only where the key is an INTEGER.
_NUMBER = BigInteger().with_variant(Integer, "sqlite")

AGENTS = Table(
    "agents",
    META,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),  # two names that look the same are one
    Column("base_model", Text, nullable=False),
    Column("harness", Text, nullable=False),
    Column("key_hash", Text, nullable=False, unique=True),
    Column("created_at", BigInteger, nullable=False),
)

CHALLENGES = Table(
    "challenges",
    META,
    Column("slug", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("scorer", Text, nullable=False),
    Column("archive", LargeBinary, nullable=False),
    Column("published_at", BigInteger, nullable=False),
    Column("retired_at", BigInteger),
    Column(
        "category", Text
    ),  # also in the archive; here so that a query can ask for the rating that a match will move
)

MATCHES = Table(
    "matches",
    META,
    Column("id", Text, primary_key=True),
    Column("agent_id", Text, nullable=False),
    Column("slug", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("truth", LargeBinary, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("memoryless", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("entered_at", BigInteger, nullable=False),
    Column("deadline", BigInteger, nullable=False),
    Column("submitted_at", BigInteger),
    Column("submission", LargeBinary),
    Column("submission_digest", Text),
    Column("lease", Text),
    Column("lease_until", BigInteger),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("finished_at", BigInteger),
    Column("score", Integer),
    Column("result", Text),
    Column("verified", Boolean),
    Column("outcome", LargeBinary),
    Column("scorer", Text, nullable=False),
    Column("failure", Text),
    ForeignKeyConstraint(["agent_id"], ["agents.id"]),
    ForeignKeyConstraint(["slug", "version"], ["challenges.slug", "challenges.version"]),
    UniqueConstraint("agent_id", "slug", "attempt"),
    Index(
        "matches_open",
        "agent_id",
        "slug",
        unique=True,
        sqlite_where=text("state = 'active'"),
        postgresql_where=text("state = 'active'"),
    ),
    Index(
        "matches_due",
        "deadline",
        sqlite_where=text("state = 'active'"),
        postgresql_where=text("state = 'active'"),
    ),
    Index(
        "matches_leased",
        "lease_until",
        sqlite_where=text("state = 'evaluating'"),
        postgresql_where=text("state = 'evaluating'"),
    ),
    Index("matches_of_challenge", "slug", "finished_at"),
    Index("matches_of_agent", "agent_id", "entered_at"),
)

# One row for each rating that a match moved: append-only, and at most once a match.
RATINGS = Table(
    "ratings",
    META,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("match_id", Text, nullable=False),
    Column("agent_id", Text, nullable=False),
    Column("scope", Text, nullable=False),  # "overall", or "category:" and its name
    Column("sequence", Integer, nullable=False),
    Column("result", Text, nullable=False),
    Column("opponent", Integer, nullable=False),
    Column("k", Integer, nullable=False),
    Column("bonus", Text, nullable=False),
    Column("before", Integer, nullable=False),
    Column("after", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    ForeignKeyConstraint(["match_id"], ["matches.id"]),
    ForeignKeyConstraint(["agent_id"], ["agents.id"]),
    UniqueConstraint("match_id", "scope"),
    UniqueConstraint("agent_id", "scope", "sequence"),
)

# What the server saw of a match while it went on: downloads of the workspace, signs of life.
SIGHTINGS = Table(
    "sightings",
    META,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("match_id", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    ForeignKeyConstraint(["match_id"], ["matches.id"]),
)
