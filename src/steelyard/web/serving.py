"""Starting the arena: the store is made ready once, and then the workers answer."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import msgspec
import typer
from granian.constants import Interfaces
from granian.server import Server

from steelyard.arena import library
from steelyard.arena.challenge import load_challenge
from steelyard.arena.service import now
from steelyard.errors import DataError
from steelyard.store.database import Database, open_database
from steelyard.store.migrate import migrate
from steelyard.web.app import SETTINGS, Settings

_DRAIN = 30  # seconds that a worker has to finish what it has begun


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator asked for."""

    host: str
    port: int
    store: str
    workers: int
    folders: tuple[Path, ...]
    bundled: bool

    def run(self) -> None:
        """Make the store ready and answer until a signal comes."""
        store = self.store if "://" in self.store else str(Path(self.store).absolute())
        database = open_database(store)
        try:
            migrate(database)
            self._publish(database)
        finally:
            database.close()
        os.environ[SETTINGS] = msgspec.json.encode(Settings(store=store)).decode()
        typer.echo(
            f"the arena is at http://{self.host}:{self.port} (store: {self.store}); Ctrl-C ends it", err=True
        )
        Server(
            "steelyard.web.app:from_environment", factory=True, interface=Interfaces.ASGI, address=self.host,
            port=self.port, workers=self.workers, websockets=False, log_enabled=False, respawn_failed_workers=True,
            workers_kill_timeout=_DRAIN,
        ).serve()  # fmt: skip

    def _publish(self, database: Database) -> None:
        for folder in self.folders:
            if not folder.is_dir():
                raise DataError("there is no such folder", file=str(folder))
            challenge = load_challenge(folder)
            if database.write_now(functools.partial(library.add, challenge=challenge, now=now())):
                typer.echo(f"published {challenge.slug} version {challenge.about.version}", err=True)
