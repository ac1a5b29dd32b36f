"""Stored judge calls: one line each, found again by everything that shaped the reply.

    {"key": "…", "judge": {…}, "parameters": {…}, "messages": […], "reply": {"text": "…", …}}

The key is a hash of judge, parameters and messages. All three are compared before a reply is
returned, so it is never used for another judge, prompt or parameter. Measured times are not stored,
so that the same replies give the same bytes.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, ModelError, StoreError
from steelyard.judge.prompt import TAG
from steelyard.models.types import Message, Model, Reply, Request
from steelyard.spill import KeyIndex, Place

SYNC_SECONDS = 1.0


class JudgeCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a judge."""

    key: str
    judge: dict[str, Any]
    parameters: dict[str, Any]
    messages: tuple[Message, ...]
    reply: Reply


_decoder = msgspec.json.Decoder(JudgeCall)


def call_key(judge: Mapping[str, Any], request: Request) -> str:
    """Return the key of a call, which is a hash of judge, parameters and messages."""
    return hashlib.sha256(_ingredients(judge, request)).hexdigest()[:40]


def _ingredients(judge: Mapping[str, Any], request: JudgeCall | Request) -> bytes:
    parts = [dict(judge), dict(request.parameters), request.messages]
    return msgspec.json.encode(parts, order="deterministic")


class JudgeStore:
    """A file of calls, to which several processes may append; replies are read when asked for.

    An unfinished last line, left by a process that was killed, is removed; ``torn`` says so. With
    ``offline`` only stored calls are available, and nothing is written. ``has_untagged`` says
    whether a stored call has no verdict tag.
    """

    def __init__(
        self,
        path: str | Path | None,
        *,
        offline: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path, self.offline, self.torn = None if path is None else Path(path), offline, False
        self.has_untagged = False
        self._clock, self._synced = clock, clock()
        self._open()

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, key: object) -> bool:
        return key in self._index

    def find(self, judge: Mapping[str, Any], request: Request) -> Reply | None:
        """Return the stored reply of exactly this judge to exactly this request."""
        place = self._index.get(call_key(judge, request))
        if place is None:
            return None
        call = self._read(place)
        same = _ingredients(call.judge, call) == _ingredients(judge, request)
        return call.reply if same else None

    def _read(self, place: Place) -> JudgeCall:
        return _decoder.decode(os.pread(self._file, place.length, place.start))

    def calls(self) -> Iterator[JudgeCall]:
        """Yield all calls in the order in which they are stored."""
        return map(self._read, self._index.places())

    def add(self, judge: Mapping[str, Any], request: Request, reply: Reply) -> str:
        """Store a reply; afterwards, the death of the process does not lose it."""
        if self.offline:
            raise StoreError("the store of replies is open for reading only")
        untimed = msgspec.structs.asdict(reply)
        del untimed["seconds"]
        call = JudgeCall(
            key=call_key(judge, request),
            judge=dict(judge),
            parameters=dict(request.parameters),
            messages=request.messages,
            reply=Reply(**untimed),
        )
        line = _line(call)
        with self._write_errors(), self._locked():
            start = os.fstat(self._file).st_size
            if os.write(self._file, line) != len(line):
                os.ftruncate(self._file, start)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._index.add(call.key, start, len(line))
        if self._clock() - self._synced >= SYNC_SECONDS:
            self.sync()
        return call.key

    def rewrite_in_order(self, order: Iterable[str] = ()) -> int:
        """Write the file again: the calls of this order, then the others by key, each once.

        Returns how many of the keys are stored; 0 if there is nothing to write.
        """
        if self.path is None or self.offline:
            return 0
        known, calls = self._index.ordered(order)
        beside = self.path.with_name(self.path.name + ".new")
        with self._write_errors():
            with open(beside, "wb") as file:
                for _, place in calls:
                    file.write(_line(self._read(place)))
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path)
        self.close()
        self._open()
        return known

    def close(self) -> None:
        """Write everything to the disk and close the file."""
        self.sync()
        self._index.close()
        self._close_file()

    def __enter__(self) -> JudgeStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        self._index = KeyIndex()
        flags = os.O_RDONLY if self.offline else os.O_RDWR | os.O_CREAT | os.O_APPEND
        try:
            self._file = (
                os.memfd_create("judge-calls")
                if self.path is None
                else os.open(self.path, flags | os.O_CLOEXEC, 0o644)
            )
            self._close_file = weakref.finalize(self, os.close, self._file)
            with self._locked(), open(self._file, "rb", closefd=False) as file:
                end = self._read_index(file)
                if self.torn and not self.offline:
                    os.ftruncate(self._file, end)
        except OSError as failed:
            message = f"cannot be read: {failed.strerror or failed}"
            raise DataError(message, file=str(self.path)) from None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Wait while another process writes or repairs the end of the file."""
        fcntl.flock(self._file, fcntl.LOCK_SH if self.offline else fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _read_index(self, lines: Iterable[bytes]) -> int:
        """Note where each call is; return where the last whole line ends."""
        start = 0
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                # A line of another file is not one that a sudden end has torn.
                if not line.startswith(b'{"key":"'[: len(line)]):
                    raise DataError("not a call of a judge", file=str(self.path), line=number)
                self.torn = True
                break
            if line.strip():
                try:
                    call = _decoder.decode(line)
                except (msgspec.DecodeError, RecursionError) as wrong:
                    message = f"not a call of a judge: {wrong}"
                    raise DataError(message, file=str(self.path), line=number) from None
                self._index.add(call.key, start, len(line))
                self.has_untagged |= not any(TAG in part.content for part in call.messages)
            start += len(line)
        return start

    def sync(self) -> None:
        """Write every stored reply to the disk."""
        if self.offline or not self._close_file.alive:
            return
        with self._write_errors():
            os.fsync(self._file)
        self._synced = self._clock()

    @contextlib.contextmanager
    def _write_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as failed:
            message = f"a reply of the judge cannot be stored: {failed.strerror or failed}"
            raise StoreError(f"{self.path}: {message}") from None


def _line(call: JudgeCall) -> bytes:
    return msgspec.json.encode(call, order="deterministic") + b"\n"


class StoredModel:
    """The judge whose calls are stored: it has that judge's identity, and is not asked."""

    def __init__(self, identity: Mapping[str, Any]) -> None:
        self.identity: Mapping[str, Any] = dict(identity)

    async def ask(self, request: Request) -> Reply:
        """Raise a ModelError: only stored replies are available."""
        raise ModelError("the judge is not asked, only its stored replies are read", kind="missing")

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""


def open_recorded(path: Path, name: str | None = None) -> tuple[Model, JudgeStore]:
    """Return the judge of a file, with the store in which its replies are looked up.

    The file has replies by the id of what was judged, or the calls that a run stored. Stored calls
    may be of several judges: then ``name`` chooses one.
    """
    if not _has_calls(path):
        from steelyard.models.recorded import RecordedModel  # a run does not need it

        return RecordedModel(path), JudgeStore(None)
    store = JudgeStore(path, offline=True)
    judges = {
        msgspec.json.encode(call.judge, order="deterministic"): call.judge for call in store.calls()
    }
    meant = [judge for judge in judges.values() if name is None or judge.get("name") == name]
    if len(meant) != 1:
        there = ", ".join(sorted(repr(judge.get("name")) for judge in judges.values()))
        store.close()
        message = f"one judge is needed, and the stored calls are of {there}; use --judge-id"
        raise DataError(message, file=str(path))
    return StoredModel(meant[0]), store


def _has_calls(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            first = msgspec.json.decode(file.readline() or b"null")
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=str(path)) from None
    except msgspec.DecodeError:
        return False  # the recorded model reports what is wrong with it
    return isinstance(first, dict) and {"key", "judge", "messages", "reply"} <= first.keys()
