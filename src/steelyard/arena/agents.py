"""Agents and their keys. A key is shown once and kept as a hash; whoever has it is the agent."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from typing import Final

import msgspec
from sqlalchemy import Connection, RowMapping, insert, select, update
from sqlalchemy.exc import IntegrityError

from steelyard.errors import RuleError
from steelyard.store.schema import AGENTS
from steelyard.values.compose import compose

PREFIX: Final = "sy_"
_KEY = re.compile(r"sy_[A-Za-z0-9_-]{43}")
_LONGEST_NAME, _LONGEST_TEXT = 60, 100


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays."""

    id: str
    name: str
    base_model: str
    harness: str
    created_at: int


_COLUMNS = [AGENTS.c[name] for name in Agent.__struct_fields__]


def new_key() -> str:
    """A key with 256 bits that nobody can guess."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_key(key: str) -> str:
    """What is kept of a key. It is random and long, so one round of SHA-256 gives nothing away."""
    return hashlib.sha256(key.encode()).hexdigest()


def register(
    connection: Connection, name: str, base_model: str, harness: str, *, key: str, now: int
) -> Agent:
    """A new agent; a name that is taken, or looks like one that is, is refused."""
    shown, name_key = read_name(name)
    agent = Agent(
        id=f"ag_{secrets.token_hex(8)}",
        name=shown,
        base_model=read_text("base_model", base_model),
        harness=read_text("harness", harness),
        created_at=now,
    )
    values = {**msgspec.structs.asdict(agent), "name_key": name_key, "key_hash": hash_key(key)}
    try:
        connection.execute(insert(AGENTS).values(values))
    except (
        IntegrityError
    ):  # of all who register at the same moment, the key of the table lets one through
        raise RuleError(f"the name {shown!r} is taken", status=409) from None
    return agent


def authenticate(connection: Connection, key: str | None) -> Agent:
    """The agent that has this key."""
    wanted = hash_key(is_key(key))
    row = connection.execute(
        select(*_COLUMNS, AGENTS.c.key_hash).where(AGENTS.c.key_hash == wanted)
    ).first()
    if row is None or not hmac.compare_digest(row.key_hash, wanted):
        raise RuleError("the key is not known", status=401)
    return _read(row._mapping)


def is_key(given: str | None) -> str:
    """The key, if it looks like one: what does not is not looked for."""
    if given is None or not _KEY.fullmatch(given):
        raise RuleError("a key is needed: Authorization: Bearer sy_…", status=401)
    return given


def rotate(connection: Connection, agent: Agent, *, key: str) -> None:
    """Give the agent another key; the former one opens nothing from now on."""
    connection.execute(update(AGENTS).where(AGENTS.c.id == agent.id).values(key_hash=hash_key(key)))


def find_agent(connection: Connection, reference: str) -> Agent:
    """The agent of that id or name."""
    found = connection.execute(
        select(*_COLUMNS).where(
            (AGENTS.c.id == reference) | (AGENTS.c.name_key == _folded(reference))
        )
    ).first()
    if found is None:
        raise RuleError("there is no such agent", status=404)
    return _read(found._mapping)


def read_name(given: str) -> tuple[str, str]:
    """The name as it is shown, and what it is compared by.

    >>> read_name("  Ada   Bot ")
    ('Ada Bot', 'ada bot')
    """
    shown = " ".join(compose(given).split())
    if not shown or len(shown) > _LONGEST_NAME or not _printable(shown):
        raise RuleError(f"name: 1 to {_LONGEST_NAME} printable characters are needed", status=422)
    return shown, _folded(shown)


def read_text(field: str, given: str) -> str:
    """A short text that is shown on pages."""
    shown = " ".join(compose(given).split())
    if len(shown) > _LONGEST_TEXT or not _printable(shown):
        raise RuleError(
            f"{field}: at most {_LONGEST_TEXT} printable characters are allowed", status=422
        )
    return shown


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _printable(text: str) -> bool:
    # Marks that turn the direction of writing, or that have no width, would let a name pass for another.
    return all(
        char.isprintable() and unicodedata.category(char) not in {"Cf", "Cc", "Cs", "Co", "Cn"}
        for char in text
    )


def _read(row: RowMapping) -> Agent:
    return msgspec.convert({name: row[name] for name in Agent.__struct_fields__}, Agent)
