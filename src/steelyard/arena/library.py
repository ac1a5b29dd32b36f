"""The published challenges: every version that was ever published stays as it was."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from steelyard.arena.challenge import Challenge, from_archive
from steelyard.errors import RuleError
from steelyard.store.schema import CHALLENGES


def add(connection: Connection, challenge: Challenge, *, now: int) -> bool:
    """Put a version on offer; whether it was not before. Another content under a version that exists is refused."""
    about = challenge.about
    if not is_published(connection, challenge):
        connection.execute(
            insert(CHALLENGES).values(
                slug=about.slug,
                version=about.version,
                digest=challenge.digest,
                scorer=challenge.scorer,
                archive=challenge.archive(),
                published_at=now,
                category=about.category,
            )
        )
        return True
    back = connection.execute(
        update(CHALLENGES)
        .where(CHALLENGES.c.slug == about.slug, CHALLENGES.c.version == about.version)
        .where(CHALLENGES.c.retired_at.is_not(None))
        .values(retired_at=None)
    )
    return back.rowcount == 1


def is_published(connection: Connection, challenge: Challenge) -> bool:
    """Whether this very version is, on offer or not; a RuleError where it may not be."""
    about = challenge.about
    known = connection.execute(
        select(CHALLENGES.c.version, CHALLENGES.c.digest).where(CHALLENGES.c.slug == about.slug)
    )
    digests: dict[int, str] = {row.version: row.digest for row in known}
    if about.version in digests:
        if digests[about.version] == challenge.digest:
            return True
        said = f"version {about.version} is published with another content; give this one a higher version"
        raise RuleError(f"{about.slug}: {said}", status=409)
    if digests and max(digests) > about.version:
        raise RuleError(
            f"{about.slug}: version {max(digests)} is published; {about.version} is older",
            status=409,
        )
    return False


def retire(connection: Connection, slug: str, *, now: int) -> int:
    """Take a challenge off the offer; matches that are going on end as they would have."""
    done = connection.execute(
        update(CHALLENGES)
        .where(CHALLENGES.c.slug == slug, CHALLENGES.c.retired_at.is_(None))
        .values(retired_at=now)
    )
    if not done.rowcount:
        raise RuleError(f"there is no challenge {slug!r} on offer", status=404)
    return done.rowcount


def on_offer(connection: Connection) -> list[Challenge]:
    """The newest version of each challenge that can be entered, by name."""
    newest = (
        select(CHALLENGES.c.slug, func.max(CHALLENGES.c.version).label("version"))
        .where(CHALLENGES.c.retired_at.is_(None))
        .group_by(CHALLENGES.c.slug)
        .order_by(CHALLENGES.c.slug)
    )
    return [version(connection, row.slug, row.version) for row in connection.execute(newest)]


def current(connection: Connection, slug: str) -> Challenge:
    """The version that is entered now."""
    newest = connection.execute(
        select(func.max(CHALLENGES.c.version)).where(
            CHALLENGES.c.slug == slug, CHALLENGES.c.retired_at.is_(None)
        )
    ).scalar()
    if newest is None:
        raise RuleError(f"there is no challenge {slug!r} on offer", status=404)
    return version(connection, slug, newest)


def version(connection: Connection, slug: str, number: int) -> Challenge:
    """That version, on offer or not."""
    where = (CHALLENGES.c.slug == slug, CHALLENGES.c.version == number)
    digest = connection.execute(select(CHALLENGES.c.digest).where(*where)).scalar()
    if digest is None:
        raise RuleError(f"there is no version {number} of {slug!r}", status=404)
    return _LOADED.get(connection, slug, number, digest)


def kept(digest: str) -> Challenge | None:
    """The challenge of that digest, if this process has read it."""
    return _LOADED.kept(digest)


class _Loaded:
    """Challenges that this process has read; a digest names one content for ever."""

    def __init__(self) -> None:
        self._by_digest: dict[str, Challenge] = {}

    def kept(self, digest: str) -> Challenge | None:
        return self._by_digest.get(digest)

    def get(self, connection: Connection, slug: str, number: int, digest: str) -> Challenge:
        if digest not in self._by_digest:
            row: Row[Any] = connection.execute(
                select(CHALLENGES.c.archive).where(
                    CHALLENGES.c.slug == slug, CHALLENGES.c.version == number
                )
            ).one()
            self._by_digest[digest] = from_archive(row.archive, f"{slug} version {number}")
        return self._by_digest[digest]


_LOADED = _Loaded()
