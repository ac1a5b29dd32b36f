"""The arena's tables, and a ledger that can only grow."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def required(name: str, kind: Any) -> Any:
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    agents()
    challenges()
    matches()
    ratings()
    sightings()
    keep_the_ledger()


def agents() -> None:
    op.create_table(
        "agents",
        sa.Column("id", sa.Text, primary_key=True),
        required("name", sa.Text),
        sa.Column("name_key", sa.Text, nullable=False, unique=True),
        required("base_model", sa.Text),
        required("harness", sa.Text),
        sa.Column("key_hash", sa.Text, nullable=False, unique=True),
        required("created_at", sa.BigInteger),
    )


def challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("slug", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        required("digest", sa.Text),
        required("scorer", sa.Text),
        required("archive", sa.LargeBinary),
        required("published_at", sa.BigInteger),
        sa.Column("retired_at", sa.BigInteger),
    )


def matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, primary_key=True),
        required("agent_id", sa.Text),
        required("slug", sa.Text),
        required("version", sa.Integer),
        required("seed", sa.BigInteger),
        required("truth", sa.LargeBinary),
        required("attempt", sa.Integer),
        required("memoryless", sa.Boolean),
        required("state", sa.Text),
        required("entered_at", sa.BigInteger),
        required("deadline", sa.BigInteger),
        sa.Column("submitted_at", sa.BigInteger),
        sa.Column("submission", sa.LargeBinary),
        sa.Column("submission_digest", sa.Text),
        sa.Column("lease", sa.Text),
        sa.Column("lease_until", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("finished_at", sa.BigInteger),
        sa.Column("score", sa.Integer),
        sa.Column("result", sa.Text),
        sa.Column("verified", sa.Boolean),
        sa.Column("outcome", sa.LargeBinary),
        required("scorer", sa.Text),
        sa.Column("failure", sa.Text),
        sa.ForeignKeyConstraint(["agent_id"], ["agents.id"]),
        sa.ForeignKeyConstraint(["slug", "version"], ["challenges.slug", "challenges.version"]),
        sa.UniqueConstraint("agent_id", "slug", "attempt"),
    )
    partial("matches_open", ["agent_id", "slug"], "state = 'active'", unique=True)
    partial("matches_due", ["deadline"], "state = 'active'")
    partial("matches_leased", ["lease_until"], "state = 'evaluating'")
    op.create_index("matches_of_challenge", "matches", ["slug", "finished_at"])
    op.create_index("matches_of_agent", "matches", ["agent_id", "entered_at"])


def partial(name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    op.create_index(
        name,
        "matches",
        columns,
        unique=unique,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )


def ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
        required("match_id", sa.Text),
        required("agent_id", sa.Text),
        required("scope", sa.Text),
        required("sequence", sa.Integer),
        required("result", sa.Text),
        required("opponent", sa.Integer),
        required("k", sa.Integer),
        required("bonus", sa.Text),
        required("before", sa.Integer),
        required("after", sa.Integer),
        required("at", sa.BigInteger),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"]),
        sa.ForeignKeyConstraint(["agent_id"], ["agents.id"]),
        sa.UniqueConstraint("match_id", "scope"),
        sa.UniqueConstraint("agent_id", "scope", "sequence"),
    )


def sightings() -> None:
    op.create_table(
        "sightings",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("match_id", sa.Text, nullable=False, index=True),
        required("kind", sa.Text),
        required("at", sa.BigInteger),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"]),
    )


def keep_the_ledger() -> None:
    """No rating is ever changed or taken back, whoever holds the connection."""
    why = "the ledger of ratings only grows"
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER ratings_no_{verb.lower()} BEFORE {verb} ON ratings "
                f"BEGIN SELECT RAISE(ABORT, '{why}'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION ratings_only_grow() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{why}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER ratings_only_grow BEFORE UPDATE OR DELETE ON ratings "
        "FOR EACH STATEMENT EXECUTE FUNCTION ratings_only_grow()"
    )
