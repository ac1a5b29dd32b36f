"""Starting the arena: the store is made ready once, and then the workers answer."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import typer
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server import Server
from sqlalchemy import Connection, select

from steelyard.arena.publish import bundled, folders_in, publish
from steelyard.arena.service import now
from steelyard.errors import EngineError
from steelyard.store.database import Database, open_database
from steelyard.store.migrate import migrate
from steelyard.store.schema import CHALLENGES
from steelyard.web.settings import Settings, hand_over

_DRAIN = 30  # seconds that a worker has to finish what it has begun
_HEADERS_MS = 10_000


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator asked for."""

    host: str
    port: int
    workers: int
    settings: Settings
    folders: tuple[Path, ...] = ()
    bundled: bool = True
    gates: bool = True

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
        threading.Thread(target=_announcing(self.host, port), daemon=True).start()
        Server(
            "steelyard.web.app:from_environment",
            factory=True,
            interface=Interfaces.ASGI,
            address=self.host,
            port=port,
            workers=self.workers,
            http=HTTPModes.http1,
            websockets=False,
            log_enabled=False,
            http1_settings=HTTP1Settings(header_read_timeout=_HEADERS_MS),
            respawn_failed_workers=True,
            workers_kill_timeout=_DRAIN,
        ).serve()

    def _publish(self, database: Database) -> None:
        # What comes with the package has passed the gates before it was released.
        ready = bundled() if self.bundled and database.read_now(_is_empty) else []
        for folder in (*folders_in(self.folders), *ready):
            done = publish(database, folder, now=now(), gates=self.gates and folder not in ready)
            if done.new:
                about = done.challenge.about
                typer.echo(f"published {about.slug} version {about.version}", err=True)


def _announcing(host: str, port: int) -> Callable[[], None]:
    """Says where the arena is as soon as somebody answers there, and not before."""
    # Looked up here: workers are forked meanwhile, and a fork must not meet a lock of the resolver's.
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    shown = f"[{host}]" if ":" in host else host

    def announce() -> None:
        while True:
            with socket.socket(family, kind, protocol) as probe:
                if probe.connect_ex(place) == 0:
                    break
            time.sleep(0.05)
        typer.echo(f"the arena is at http://{shown}:{port} (Ctrl-C ends it)", err=True)

    return announce


def _is_empty(connection: Connection) -> bool:
    return connection.execute(select(CHALLENGES.c.slug).limit(1)).first() is None


def _free_port(host: str, port: int) -> int:
    """The port, if it can be had; for 0, one that can."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[
            0
        ]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            return int(probe.getsockname()[1])
    except OSError as failed:
        raise EngineError(f"{host}:{port} cannot be had: {failed.strerror or failed}") from None
