"""Publishing: a challenge that has passed the gates is put on offer, and stays as it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import Connection

from steelyard.arena import library
from steelyard.arena.challenge import ABOUT, Challenge, load_challenge
from steelyard.arena.gates import Report, check_challenge
from steelyard.errors import DataError, RuleError
from steelyard.sandbox.protocol import Sandbox
from steelyard.store.database import Database

_BUNDLED: Final = Path(__file__).parent.parent / "data" / "challenges"


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it: whether the version is newly on offer, and what the gates said, where they were asked."""

    challenge: Challenge
    new: bool
    report: Report | None = None


def bundled() -> list[Path]:
    """The folders of the challenges that come with the package.

    >>> [folder.name for folder in bundled()]
    ['clockmaker', 'ferry-ledger', 'lantern-posts']
    """
    return folders_in([_BUNDLED])


def folders_in(places: Iterable[Path]) -> list[Path]:
    """The folders of challenges: each place as it is, or those inside it."""
    found: list[Path] = []
    for place in places:
        if not place.is_dir():
            raise DataError("there is no such folder", file=str(place))
        inside = sorted(about.parent for about in place.glob(f"*/{ABOUT}"))
        found += [place] if (place / ABOUT).exists() or not inside else inside
    return found


def publish(
    database: Database,
    folder: Path,
    *,
    now: int,
    sandbox: Sandbox | None = None,
    gates: bool = True,
) -> Published:
    """Put the challenge in a folder on offer. What the gates find is a SpecError with all of it.

    A version that was published before is not tried again, and with another content it is a DataError.
    """
    challenge = load_challenge(folder)
    tried = gates and not database.read_now(
        lambda connection: refuse_change(connection, challenge, folder)
    )
    report = check_challenge(challenge, sandbox=sandbox) if tried else None
    if report is not None:
        report.tell(str(folder))
    try:
        new = database.write_now(lambda connection: library.add(connection, challenge, now=now))
    except RuleError as refused:
        raise DataError(refused.message, file=str(folder)) from None
    return Published(challenge=challenge, new=new, report=report)


def refuse_change(connection: Connection, challenge: Challenge, folder: Path) -> bool:
    """Whether this very version is published already; one that may not be published is a DataError."""
    try:
        return library.is_published(connection, challenge)
    except RuleError as refused:
        raise DataError(refused.message, file=str(folder)) from None
