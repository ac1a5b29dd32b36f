"""One candidate's box as the grader sees it: used for one run, and held to its limits from outside."""

from __future__ import annotations

import contextlib
import json
import signal
import struct
import time
from collections import deque
from typing import Any, Protocol

from steelyard.errors import SandboxError
from steelyard.sandbox.clock import Clock
from steelyard.sandbox.inside.frames import SIZE
from steelyard.sandbox.job import Job, Limit, Outcome
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.link import Link

_LARGEST = 1 << 28  # bytes of a message: a greater length is text that somebody else wrote
_LEAST = 64  # bytes that a message counts for, however short: it takes as much to keep
_PATIENCE = 0.4  # seconds for a box to end by itself after it was told to
_UNDER_WAY = 5.0  # seconds for its report to come where nothing of the program runs any more
_UNSEEN = 0.5  # and where nobody can look: by then the box itself has ended a program that was over its time
_REMAINS = 1.0  # seconds for what others still had in their hands when it was killed
_ON_THE_WAY = 0.05  # seconds that an answer is on its way before that is anybody's failure


class Host(Protocol):
    """What a backend does around a run: end it by force, count for it, and take the place back."""

    def kill(self) -> None:
        """Ends every process of the run at once, whatever it does."""
        ...

    def runs(self) -> bool | None:
        """Whether the program is seen to run; None where nobody can look."""
        ...

    def limit_hit(self) -> Limit | None:
        """The limit that the host itself saw broken."""
        ...

    def peak_memory(self) -> int | None:
        """The most bytes that the run held, where that is known."""
        ...

    def release(self, *, clean: bool) -> None:
        """The run is over; ``clean`` if it ended in good order."""
        ...


class Box:
    """A run that has been started; it is over when `receive` gives None or `finish` has been called."""

    def __init__(self, link: Link, host: Host, job: Job, limits: Limits) -> None:
        self._link, self._host, self._job, self._limits = link, host, job, limits
        self._clock = Clock(limits.wall_s)
        self._streams = {b"O": bytearray(), b"E": bytearray(), b"F": bytearray()}
        self._channel = bytearray()
        self._messages: deque[bytes] = deque()
        self._waiting = 0  # bytes of messages that nobody has taken yet
        self._limit: Limit | None = None
        self._gone = False  # its first process has ended
        self._garbled = False  # what came over the channel is no message of the worker's
        self._unready = False  # its program was not let go in all the time that there is for that
        self._ran_on = False  # the program was seen to run when nothing was to run any more
        self._heard_late = False  # the worker's words came when its time was up
        self._report: dict[str, Any] | None = None
        self._outcome: Outcome | None = None
        self._released = False

    @property
    def over(self) -> bool:
        """Whether nothing more can come from the program."""
        return self._limit is not None or self._garbled or self._unready or self._ended

    @property
    def _ended(self) -> bool:
        """Whether there is nobody to talk to, be it that the box has said how it ended or not."""
        return self._report is not None or self._gone or self._link.ended

    def send(self, message: bytes) -> None:
        """One message to the worker."""
        if not self.over:
            self._clock.asked()
            self._link.send(b"M", SIZE.pack(len(message)) + message)

    def receive(self) -> bytes | None:
        """The worker's next message; None once the run is over, whatever ended it."""
        while not self._messages and not self.over:
            self._pump()
        if not self._messages:
            return None
        message = self._messages.popleft()
        self._waiting -= max(SIZE.size + len(message), _LEAST)
        return message

    def finish(self) -> Outcome:
        """What came of the run: a command is waited for, a worker is told to stop."""
        if self._outcome is None:
            if self._job.worker is None:
                while not self.over:
                    self._pump()
            self._outcome = self._end()
        return self._outcome

    def stop(self) -> None:
        """Ends the run now; what it has come to does not matter any more."""
        if not self._released:
            with contextlib.suppress(SandboxError):
                self._outcome = self._end()

    def _end(self) -> Outcome:
        lost = self._report is None and self._limit is None and self._ended
        self._released, clean = True, False
        try:
            clean = self._ended_by_itself()
            # Until here it may have run: what the ending took is on the program's time too.
            return self._found(time.monotonic() - self._clock.started, lost)
        finally:
            self._host.release(clean=clean)

    def _ended_by_itself(self) -> bool:
        """Tells the box to stop and waits a little for its report; by force otherwise."""
        if not self._ended:
            self._link.send(b"Q")
        self._wait_for_report(_PATIENCE)
        runs = None if self._ended else self._host.runs()
        if runs is not True:
            self._wait_for_report(_UNDER_WAY if runs is False else _UNSEEN)
        if self._report is None:
            self._ran_on = bool(runs)
            self._host.kill()
        if runs is None:
            self._wait_for_report(_REMAINS)
        return self._report is not None

    def _wait_for_report(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._ended and time.monotonic() < until:
            self._pump(until)

    def _found(self, wall: float, lost: bool) -> Outcome:
        report = self._report or {"signal": signal.SIGKILL}  # by us, when it did not end in time
        if "broken" in report:
            raise SandboxError(f"the box could not be made ready: {report['broken']}")
        if self._unready:
            raise SandboxError("the box did not get to its program: the machine is too busy")
        doubt = self._doubt(report)
        limit = self._broken_limit(report)
        if limit is None and (lost or doubt):
            raise SandboxError(doubt or "the box ended without saying how")
        return Outcome(
            exit_code=report.get("exit"),
            signal=report.get("signal"),
            limit=limit,
            violation=report.get("signal") == signal.SIGSYS,
            garbled=self._garbled,
            stdout=bytes(self._streams[b"O"]),
            stderr=bytes(self._streams[b"E"]),
            files=self._files(),
            wall_s=round(wall, 4),
            peak_memory=_most(self._host.peak_memory(), report.get("peak")),
        )

    def _doubt(self, report: dict[str, Any]) -> str:
        """Takes back that the time was up unless the program is known to have had it; says why nothing else is known then."""
        if (self._limit != "time" and not report.get("time")) or self._ran_on:
            return ""
        if self._report is None:
            self._limit = None
            return (
                "the time was up, but nobody saw the program run, nor did the box say how it ended"
            )
        if self._job.worker is None and self._clock.in_time(report.get("ended")):
            self._limit = None  # only the news of its end came late
        elif self._heard_late and self._clock.in_time(report.get("said"), by=_ON_THE_WAY):
            self._limit = None
            report.pop("time", None)
            return "the program answered in time, but its answer came late: the machine is too busy"
        return ""

    def _broken_limit(self, report: dict[str, Any]) -> Limit | None:
        """The first that applies: memory before time, since a program without memory is often slow."""
        kills = report.get("kills")
        if isinstance(kills, int):
            host: Limit | None = "memory" if kills else None
        else:
            host = self._host.limit_hit()
        told: list[Limit] = [
            name for name in ("memory", "time", "output", "process", "disk") if report.get(name)
        ]
        if report.get("signal") in (signal.SIGXCPU,):
            told.append("time")
        if report.get("signal") == signal.SIGXFSZ:
            told.append("disk")
        found: set[Limit | None] = {self._limit, host, *told}
        for name in ("memory", "time", "output", "process", "disk"):
            if name in found:
                return name
        return None

    def _pump(self, ending: float | None = None) -> None:
        """Takes what has come; ``ending`` is until when to wait where the time does not matter any more."""
        for kind, content in self._link.frames(self._clock.deadline if ending is None else ending):
            if kind == b"X":
                self._report = _read_facts(content)
            elif kind == b"B":
                self._clock.begin(float(_read_facts(content)["at"]))
            elif kind == b"M":
                self._heard_late = self._heard_late or time.monotonic() >= self._clock.deadline
                self._hear(content)
            elif kind in self._streams:
                self._keep(kind, content)
            else:
                self._gone = True
                self._link.put_back(kind, content)  # which concerns the slot as well
        if ending is None and not self._ended and time.monotonic() >= self._clock.deadline:
            self._unready = not self._clock.began
            self._limit = self._limit or ("time" if self._clock.began else None)

    def _keep(self, kind: bytes, content: bytes) -> None:
        if self._limit == "output":
            return
        self._streams[kind] += content
        if sum(map(len, self._streams.values())) > 2 * self._limits.output_bytes + 65536:
            self._streams[kind].clear()
            self._limit = self._limit or "output"

    def _hear(self, content: bytes) -> None:
        """Puts the worker's messages together again; more than may come, in one or in many, ends the run."""
        if self._limit or self._garbled:
            self._heard_late = True
            return  # it is over: what still comes is of no use, and may be without end
        self._channel += content
        start = 0
        while self._limit is None and len(self._channel) - start >= SIZE.size:
            size = SIZE.size + SIZE.unpack_from(self._channel, start)[0]
            if size > _LARGEST:
                self._garbled = True
                break
            if self._waiting + size > self._limits.output_bytes + _LEAST:
                self._limit = "output"
            elif len(self._channel) - start < size:
                break
            else:
                self._messages.append(bytes(self._channel[start + SIZE.size : start + size]))
                self._waiting += max(size, _LEAST)
                start += size
        del self._channel[:start]
        if self._limit or self._garbled:
            self._channel.clear()
            self._messages.clear()

    def _files(self) -> dict[str, bytes]:
        """The collected files, as far as they are whole."""
        data, at, files = bytes(self._streams[b"F"]), 0, {}
        try:
            while at < len(data):
                name, at = _piece(data, at)
                content, at = _piece(data, at)
                files[name.decode("utf-8", "replace")] = content
        except (struct.error, ValueError):
            raise SandboxError("the box sent a file that is cut off") from None
        return files


def _most(counted: int | None, told: object) -> int | None:
    """What the host has counted, or else what the first process of the box was told by the kernel."""
    return told if counted is None and isinstance(told, int) else counted


def _piece(data: bytes, at: int) -> tuple[bytes, int]:
    size = SIZE.unpack_from(data, at)[0]
    start = at + SIZE.size
    if start + size > len(data):
        raise ValueError("cut off")
    return data[start : start + size], start + size


def _read_facts(content: bytes) -> dict[str, Any]:
    try:
        report = json.loads(content)
    except ValueError:
        raise SandboxError("the box sent a report that cannot be read") from None
    if not isinstance(report, dict):
        raise SandboxError("the box sent a report that is none")
    return report
