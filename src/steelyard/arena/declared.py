"""What published challenges say of themselves, read without loading them: enough for ratings and boards."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, select

from steelyard.arena.archive import unpack
from steelyard.arena.challenge import ABOUT
from steelyard.metrics.elo import OPPONENTS
from steelyard.store.schema import CHALLENGES

Version = tuple[str, int]


class Declared(NamedTuple):
    """The category of a version, the rating that it plays with, and whether it is the same for every seed."""

    category: str
    opponent: int
    static: bool


class _About(msgspec.Struct, frozen=True):
    """The lines of challenge.toml that matter here; a version that this package could no longer play has them too."""

    category: str
    difficulty: str
    static: bool = False


def declared(connection: Connection) -> dict[Version, Declared]:
    """Every version that was ever published, by name and number."""
    known = connection.execute(
        select(CHALLENGES.c.slug, CHALLENGES.c.version, CHALLENGES.c.digest)
    ).all()
    missing = [row for row in known if row.digest not in _READ]
    for row in missing:
        archive = connection.execute(
            select(CHALLENGES.c.archive).where(
                CHALLENGES.c.slug == row.slug, CHALLENGES.c.version == row.version
            )
        ).scalar_one()
        _READ[row.digest] = _read(unpack(archive, f"{row.slug} version {row.version}"))
    return {(row.slug, row.version): _READ[row.digest] for row in known}


def newest(versions: Mapping[Version, Declared]) -> dict[str, Declared]:
    """What the newest version of each challenge says."""
    return {slug: about for (slug, _), about in sorted(versions.items())}


def _read(files: Mapping[str, bytes]) -> Declared:
    given: dict[str, Any] = tomllib.loads(files[ABOUT].decode())
    about = msgspec.convert(given, _About)
    return Declared(about.category, OPPONENTS[about.difficulty], about.static)


_READ: dict[str, Declared] = {}  # by digest, which names one content for ever
