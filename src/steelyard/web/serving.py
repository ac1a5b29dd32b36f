"""Starting the arena: the store is made ready once, and then the workers answer."""

from __future__ import annotations

import functools
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server import Server
from sqlalchemy import Connection, select

from steelyard.arena import library
from steelyard.arena.challenge import load_challenge
from steelyard.arena.service import now
from steelyard.errors import DataError, EngineError
from steelyard.store.database import Database, open_database
from steelyard.store.migrate import migrate
from steelyard.store.schema import CHALLENGES
from steelyard.web.settings import Settings, hand_over

if TYPE_CHECKING:
    from collections.abc import Iterable

_DRAIN = 30  # seconds that a worker has to finish what it has begun
_HEADERS_MS = 10_000
_BUNDLED = Path(__file__).parent.parent / "data" / "challenges"


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator asked for."""

    host: str
    port: int
    workers: int
    settings: Settings
    folders: tuple[Path, ...] = ()
    bundled: bool = True

    def run(self) -> None:
        """Make the store ready and answer until a signal comes."""
        port = _free_port(self.host, self.port)
        database = open_database(self.settings.store)
        try:
            migrate(database)
            self._publish(database)
        finally:
            database.close()
        hand_over(self.settings)
        shown = f"[{self.host}]" if ":" in self.host else self.host
        typer.echo(f"the arena is at http://{shown}:{port} (Ctrl-C ends it)", err=True)
        Server(
            "steelyard.web.app:from_environment", factory=True, interface=Interfaces.ASGI, address=self.host,
            port=port, workers=self.workers, http=HTTPModes.http1, websockets=False, log_enabled=False,
            http1_settings=HTTP1Settings(header_read_timeout=_HEADERS_MS), respawn_failed_workers=True,
            workers_kill_timeout=_DRAIN,
        ).serve()  # fmt: skip

    def _publish(self, database: Database) -> None:
        folders: list[Path] = [*self.folders]
        if self.bundled and database.read_now(_is_empty):
            folders += _bundled()
        for folder in _each(folders):
            challenge = load_challenge(folder)
            if database.write_now(functools.partial(library.add, challenge=challenge, now=now())):
                typer.echo(f"published {challenge.slug} version {challenge.about.version}", err=True)


def _is_empty(connection: Connection) -> bool:
    return connection.execute(select(CHALLENGES.c.slug).limit(1)).first() is None


def _bundled() -> list[Path]:
    return sorted(about.parent for about in _BUNDLED.glob("*/challenge.toml"))


def _each(folders: Iterable[Path]) -> list[Path]:
    """The folders of challenges: each as it is, or those inside it."""
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise DataError("there is no such folder", file=str(folder))
        inside = sorted(about.parent for about in folder.glob("*/challenge.toml"))
        found += [folder] if (folder / "challenge.toml").exists() or not inside else inside
    return found


def _free_port(host: str, port: int) -> int:
    """The port, if it can be had; for 0, one that can."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            return int(probe.getsockname()[1])
    except OSError as failed:
        raise EngineError(f"{host}:{port} cannot be had: {failed.strerror or failed}") from None
