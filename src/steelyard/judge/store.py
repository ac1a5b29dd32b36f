"""The store of a judge's replies: one line a call, found again by everything that shaped it.

    {"key": "…", "judge": {…}, "parameters": {…}, "messages": […], "reply": {"text": "…", …}}

The key is a hash of judge, parameters and messages, and all three are compared before a reply is given out: it is
never served for another judge, prompt or parameter. Measured times are not kept, so the same replies are the same bytes.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, StoreError
from steelyard.models.types import Message, Reply, Request
from steelyard.spill import KeyIndex, Place

SYNC_SECONDS = 1.0


class StoredReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What of a reply is kept."""

    text: str
    reasoning: str = ""
    finish: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    served_by: str = ""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a judge."""

    key: str
    judge: dict[str, Any]
    parameters: dict[str, Any]
    messages: tuple[Message, ...]
    reply: StoredReply


_decoder = msgspec.json.Decoder(Call)


def call_key(judge: Mapping[str, Any], request: Request) -> str:
    """The name of a call: the same judge, parameters and messages, and nothing else, give it again."""
    parts = [dict(judge), dict(request.parameters), request.messages]
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:40]


class JudgeStore:
    """A file of calls, to which several processes may append; replies are read from it when asked for.

    An unfinished last line, left by a process that was killed, is told in ``torn`` and taken away.
    With ``offline`` nothing that is not stored can be had, and nothing is written.
    """

    def __init__(
        self,
        path: str | Path | None,
        *,
        offline: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path, self.offline, self.torn = None if path is None else Path(path), offline, False
        self._places: KeyIndex | None = None
        self._held: dict[str, Call] = {}  # where there is no file
        self._clock, self._synced, self._file = clock, clock(), -1
        if self.path is not None:
            self._open(self.path)

    def __len__(self) -> int:
        return len(self._held if self._places is None else self._places)

    def __contains__(self, key: object) -> bool:
        return key in (self._held if self._places is None else self._places)

    def find(self, judge: Mapping[str, Any], request: Request) -> Reply | None:
        """The stored reply of exactly this judge to exactly this request."""
        key = call_key(judge, request)
        call = self._found(key)
        if call is None or not _same(call, judge, request):
            return None
        kept = call.reply
        return Reply(
            text=kept.text,
            reasoning=kept.reasoning,
            finish=kept.finish,
            input_tokens=kept.input_tokens,
            output_tokens=kept.output_tokens,
            served_by=kept.served_by,
        )

    def call(self, key: str) -> Call:
        """The call of this key."""
        if (found := self._found(key)) is None:
            raise KeyError(key)
        return found

    def _found(self, key: str) -> Call | None:
        if self._places is None:
            return self._held.get(key)
        place = self._places.get(key)
        return None if place is None else self._at(place)

    def _at(self, place: Place) -> Call:
        return _decoder.decode(os.pread(self._file, place.length, place.start))

    def calls(self) -> Iterator[Call]:
        """All calls, in the order in which they are stored."""
        for key in self._held if self._places is None else self._places:
            yield self.call(key)

    def add(self, judge: Mapping[str, Any], request: Request, reply: Reply) -> str:
        """Keep a reply; when this returns, the death of the process does not lose it."""
        key = call_key(judge, request)
        kept = StoredReply(
            text=reply.text,
            reasoning=reply.reasoning,
            finish=reply.finish,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            served_by=reply.served_by,
        )
        call = Call(
            key=key,
            judge=dict(judge),
            parameters=dict(request.parameters),
            messages=request.messages,
            reply=kept,
        )
        if self.offline:
            raise StoreError("the store of replies is open for reading only")
        if self._places is None:
            self._held[key] = call
        else:
            self._append(self._places, key, _line(call))
        return key

    def settle(self, order: Iterable[str] = ()) -> int:
        """Write the file again with the calls in this order, then the others by key, each key once.

        How many of them the order has; 0 where there is nothing to write.
        """
        if self.path is None or self._places is None or self.offline:
            return 0
        wanted, calls = self._places.ordered(order)
        beside = self.path.with_name(self.path.name + ".new")
        try:
            with open(beside, "wb") as file:
                for _, place in calls:
                    file.write(_line(self._at(place)))
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path)
        except OSError as failed:
            raise _failed(self.path, failed) from None
        self.close()
        self._open(self.path)
        return wanted

    def close(self) -> None:
        """Bring everything to the disk and let go of the file."""
        if self._places is not None:
            self._places.close()
        if self._file >= 0:
            if not self.offline:
                os.fsync(self._file)
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> JudgeStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, path: Path) -> None:
        self._places = KeyIndex()
        flags = os.O_RDONLY if self.offline else os.O_RDWR | os.O_CREAT | os.O_APPEND
        try:
            self._file = os.open(path, flags | os.O_CLOEXEC, 0o644)
            with self._locked(), open(path, "rb") as file:
                end = self._index(self._places, path, file)
                if self.torn and not self.offline:
                    os.ftruncate(self._file, end)
        except OSError as failed:
            raise DataError(
                f"cannot be read: {failed.strerror or failed}", file=str(path)
            ) from None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """While another process writes or mends the end of the file, this one waits."""
        fcntl.flock(self._file, fcntl.LOCK_SH if self.offline else fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _index(self, places: KeyIndex, path: Path, lines: Iterable[bytes]) -> int:
        start = 0
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                if not line.startswith(_FIRST_BYTES[: len(line)]):
                    raise DataError("no call of a judge", file=str(path), line=number)
                self.torn = True
                break
            if line.strip():
                try:
                    places.add(_decoder.decode(line).key, start, len(line))
                except (msgspec.DecodeError, RecursionError) as wrong:
                    raise DataError(
                        f"no call of a judge: {wrong}", file=str(path), line=number
                    ) from None
            start += len(line)
        return start

    def _append(self, places: KeyIndex, key: str, line: bytes) -> None:
        try:
            with self._locked():
                place = os.fstat(self._file).st_size
                if os.write(self._file, line) != len(line):
                    os.ftruncate(self._file, place)
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            places.add(key, place, len(line))
        except OSError as failed:
            raise _failed(self.path or Path(), failed) from None
        if self._clock() - self._synced >= SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        """Every reply that was kept before is on the disk."""
        if self._file < 0 or self.offline:
            return
        try:
            os.fsync(self._file)
        except OSError as failed:
            raise _failed(self.path or Path(), failed) from None
        self._synced = self._clock()


def _line(call: Call) -> bytes:
    return msgspec.json.encode(call, order="deterministic") + b"\n"


# What every line starts with; a file that ends in anything else has no torn line, but is not ours.
_FIRST_BYTES = b'{"key":"'


def _same(call: Call, judge: Mapping[str, Any], request: Request) -> bool:
    ours = msgspec.json.encode([call.judge, call.parameters, call.messages], order="deterministic")
    theirs = [dict(judge), dict(request.parameters), request.messages]
    return ours == msgspec.json.encode(theirs, order="deterministic")


def _failed(path: Path, failed: OSError) -> StoreError:
    return StoreError(f"{path}: a reply of the judge cannot be kept: {failed.strerror or failed}")
