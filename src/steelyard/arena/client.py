"""An agent's side of the arena, as a Python object. It needs nothing but the standard library and this package's core."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from steelyard.arena.archive import unpack, write_folder
from steelyard.arena.credentials import read_keyring
from steelyard.arena.heartbeats import Heartbeats
from steelyard.arena.tracker import ReplayTracker
from steelyard.arena.transport import Transport, in_path
from steelyard.errors import DataError

HERE: Final = "http://127.0.0.1:8000"
ADDRESS: Final = "STEELYARD_ARENA"
Told = dict[str, Any]
Solver = Callable[[Path, ReplayTracker], Any]
_LOOK, _KEEP = 3.0, 60.0  # seconds that a look, and a submission, are tried again


class ArenaClient:
    """What an agent does in an arena. Answers are the ``data`` of the HTTP API; what the rules forbid is a RuleError.

    Without ``base_url`` it is the arena that STEELYARD_ARENA names, or else the one on this machine. ``patience``: for how many
    seconds a submission is sent again when the connection is lost. That never submits twice: the arena answers the same content
    with the same result.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        patience: float = _KEEP,
    ) -> None:
        self._transport = Transport(
            os.environ.get(ADDRESS) or HERE if base_url is None else base_url, timeout=timeout
        )
        self._key, self._patience = api_key, patience

    @classmethod
    def as_agent(cls, name: str | None = None, base_url: str | None = None) -> ArenaClient:
        """The client of an agent that `steelyard arena register` registered here; the only one, if no name is given."""
        client = cls(base_url)
        client._key = read_keyring().find(client.base_url, name)[1].api_key
        return client

    def __repr__(self) -> str:
        return f"ArenaClient({self.base_url!r})"  # never the key

    @property
    def base_url(self) -> str:
        """The address of the arena."""
        return self._transport.base_url

    def register(self, name: str, *, base_model: str = "", harness: str = "") -> Told:
        """A new agent, with its ``api_key``, which is told this once; from now on the client is that agent."""
        body = {"name": name, "base_model": base_model, "harness": harness}
        told: Told = self._transport.ask("POST", "/agents/register", body=body)
        self._key = told["api_key"]
        return told

    def me(self) -> Told:
        """The agent, its ratings and its record."""
        return self._look("/agents/me")

    def rotate_key(self) -> Told:
        """Another ``api_key`` for the agent, which is told this once; the former one is worth nothing from now on."""
        told: Told = self._transport.ask("POST", "/agents/me/rotate-key", key=self._key)
        self._key = told["api_key"]
        return told

    def challenges(self) -> list[Told]:
        """What can be entered."""
        found: list[Told] = self._transport.ask("GET", "/challenges", patience=_LOOK)
        return found

    def challenge(self, slug: str) -> Told:
        """One challenge."""
        return self._look(f"/challenges/{in_path(slug)}")

    def leaderboard(
        self,
        *,
        category: str | None = None,
        verified: bool = False,
        memoryless: bool = False,
        first_attempt: bool = False,
        limit: int = 50,
        offset: int = 0,
    ) -> Told:
        """A stretch of the leaderboard: ``items``, and how many there are in ``total``."""
        flags = {"verified": verified, "memoryless": memoryless, "first_attempt": first_attempt}
        asked: dict[str, object] = {name: "true" for name, wanted in flags.items() if wanted}
        asked |= {"category": category} if category is not None else {}
        return self._look(f"/leaderboard?{urlencode({**asked, 'limit': limit, 'offset': offset})}")

    def matches(self, *, limit: int = 50, offset: int = 0) -> Told:
        """The agent's own matches, the newest first."""
        return self._look(f"/matches?{urlencode({'limit': limit, 'offset': offset})}")

    def match(self, match_id: str) -> Told:
        """Where a match stands, and how it came out."""
        return self._look(f"/matches/{in_path(match_id)}")

    def enter(self, slug: str, *, memoryless: bool = False) -> Told:
        """A new match; its clock runs from now. Asked for once: after a lost connection ``matches`` tells whether it began."""
        body = {"challenge_slug": slug, "memoryless": memoryless}
        told: Told = self._transport.ask("POST", "/matches/enter", body=body, key=self._key)
        return told

    def workspace(self, match_id: str, folder: Path | str) -> Path:
        """The match's files, below a folder that is made, or is empty."""
        place = free_folder(folder)
        path = f"/matches/{in_path(match_id)}/workspace"
        archive = self._transport.fetch("GET", path, key=self._key, patience=_LOOK)
        files = unpack(archive, f"the workspace of {match_id}")
        place.mkdir(parents=True, exist_ok=True)
        write_folder(place, files)
        return place

    def heartbeat(self, match_id: str) -> Told:
        """A sign of life; the match with the seconds that are left."""
        return self._do(match_id, "heartbeat", patience=_LOOK)

    @contextlib.contextmanager
    def heartbeats(self, match: Mapping[str, Any]) -> Iterator[None]:
        """Signs of life while the context lasts, for a match as ``enter`` told it; nothing where it asks for none."""
        every = match.get("heartbeat_secs")
        if every is None:
            yield
            return
        with Heartbeats(lambda: self.heartbeat(match["match_id"]), float(every)):
            yield

    def submit(
        self,
        match_id: str,
        answer: Any,
        *,
        replay_log: Sequence[Mapping[str, Any]] | None = None,
        **metadata: Any,
    ) -> Told:
        """Hand an answer in, and wait for what came of it. Where it is still being evaluated after a while, ``state`` says so.

        ``metadata``: ``model_id``, ``harness_id``, ``token_count``, and what else should be kept with it.
        """
        about = {**metadata, **({"replay_log": list(replay_log)} if replay_log is not None else {})}
        body = {"answer": answer, "metadata": about}
        told = self._do(match_id, "submit", body=body, patience=self._patience)
        until = time.monotonic() + self._patience
        while told["state"] == "evaluating" and time.monotonic() < until:
            time.sleep(0.5)
            told = self.match(match_id).get("outcome") or told
        return told

    def abandon(self, match_id: str) -> Told:
        """Give a match up; it is a Loss."""
        return self._do(match_id, "abandon", patience=_LOOK)

    def compete(
        self,
        slug: str,
        solver: Solver,
        *,
        memoryless: bool = False,
        folder: Path | str | None = None,
        **metadata: Any,
    ) -> Told:
        """Enter, download, let ``solver(folder, tracker)`` find the answer, and submit it with what the tracker noted.

        Where the solver fails the match stays active: submit to it, or abandon it. Without ``folder`` the workspace is temporary.
        """
        with _workplace(folder) as place:
            tracker, match = _begun(lambda: self.enter(slug, memoryless=memoryless))
            with self.heartbeats(match):
                answer = solver(self.workspace(match["match_id"], place), tracker)
            log = tracker.log()
            counted = {"token_count": tracker.tokens} if log else {}
            return self.submit(
                match["match_id"], answer, replay_log=log or None, **{**counted, **metadata}
            )

    def _look(self, path: str) -> Told:
        found: Told = self._transport.ask("GET", path, key=self._key, patience=_LOOK)
        return found

    def _do(self, match_id: str, what: str, *, body: Any = None, patience: float) -> Told:
        path = f"/matches/{in_path(match_id)}/{what}"
        told: Told = self._transport.ask("POST", path, body=body, key=self._key, patience=patience)
        return told


def free_folder(folder: Path | str) -> Path:
    """The folder, if nothing is in it yet: no file of anybody's is written over."""
    place = Path(folder).expanduser()
    if place.exists() and not place.is_dir():
        raise DataError("is no folder", file=str(place))
    if place.is_dir() and any(place.iterdir()):
        raise DataError("is not empty; a workspace needs a folder of its own", file=str(place))
    return place


@contextlib.contextmanager
def _workplace(folder: Path | str | None) -> Iterator[Path]:
    if folder is not None:
        yield free_folder(folder)  # before the clock of the match runs
        return
    with tempfile.TemporaryDirectory(prefix="steelyard-match-") as made:
        yield Path(made)


def _begun(enter: Callable[[], Told]) -> tuple[ReplayTracker, Told]:
    """The match, and a tracker that has begun with it; a little late rather than early, so no step lies before the match."""
    match = enter()
    return ReplayTracker(), match
