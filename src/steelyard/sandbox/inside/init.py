"""The first process of a candidate's namespaces: it starts the program, relays, and ends everything.

It is as unprivileged as the program once it has built the world, but the program can neither signal it (it is pid 1)
nor look into it (it is not dumpable), so what it tells the grader is not the program's word.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # without its lists of names, which take 2 ms to make
import _socket
import os
import select
import stat
import sys
from time import monotonic

from . import confine, frames, memory, program

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes longer to load than all of this
    from collections.abc import Mapping
    from typing import Any

_CHUNK = 65536
_WATCH_MS = 20
_DRAIN_MS = 200
_GRACE_MS = 100


class Relay:
    """Between the program and the grader, until one of them has ended."""

    def __init__(self, job: Mapping[str, Any], link: tuple[int, int], pid: int) -> None:
        self.job, self.pid = job, pid
        self.link_in, self.link_out = link
        self.status: int | None = None
        self.facts: dict[str, bool] = {}
        self.left = int(job["output_bytes"])
        self.pending = bytearray()
        self.sources: dict[int, bytes] = {}
        self.channel = -1
        self.gone = False
        self.poller = select.poll()
        self.sockets = 0  # that were there before the program was
        self.until = 0.0  # the moment after which nothing runs here, should the grader not have said so long before
        self.ended = 0.0  # when the program was seen to have ended, or was not let go on any longer
        self.said: float | None = None  # when the worker said something last

    def listen(self, number: int, kind: bytes) -> None:
        """Whatever comes from that descriptor goes to the grader in frames of that kind."""
        os.set_blocking(number, False)
        self.sources[number] = kind
        self.poller.register(number, select.POLLIN)
        if kind == b"M":
            self.channel = number

    def run(self, wakeup: int) -> None:
        """Until the program has ended, broken a limit, or the grader says stop."""
        self.poller.register(self.link_in, select.POLLIN)
        self.poller.register(wakeup, select.POLLIN)
        job = self.job
        watched = job["watch_memory"] or job["watch_pids"] or job["watch_sockets"]
        while self.status is None and not self.facts:
            for number, _ in self.poller.poll(_WATCH_MS if watched else self.patience()):
                self.attend(number, wakeup)
            if watched:
                self.watch(job["watch_memory"], job["watch_pids"], job["watch_sockets"])
            if self.gone and self.status is None:
                self.wait_a_little(wakeup)
            if self.until and monotonic() > self.until:
                self.facts["time"] = True
        self.ended = monotonic()

    def patience(self) -> int | None:
        """The milliseconds until the latest end; without one while nobody has told the worker what to run."""
        return max(0, int((self.until - monotonic()) * 1000)) + 1 if self.until else None

    def watch(self, most_memory: int, most_tasks: int, most_in_sockets: int) -> None:
        """Where no control group counts, this process does."""
        if most_in_sockets and memory.in_sockets(self.sockets) > most_in_sockets:
            self.facts["memory"] = True
        if most_memory and memory.held(most_memory, self.sockets) > most_memory:
            self.facts["memory"] = True
        if most_tasks and memory.tasks() > most_tasks:
            self.facts["process"] = True

    def wait_a_little(self, wakeup: int) -> None:
        """A worker that has closed its channel is most likely about to end; one that goes on has nothing to say."""
        poller = select.poll()
        poller.register(wakeup, select.POLLIN)
        if poller.poll(_GRACE_MS):
            self.attend(wakeup, wakeup)
        self.facts["closed"] = True

    def attend(self, number: int, wakeup: int) -> None:
        """One descriptor that has something."""
        if number == wakeup:
            os.read(wakeup, _CHUNK)
            self.reap()
        elif number == self.link_in:
            self.obey()
        elif number in self.sources:
            if number == self.channel:
                # An answer that comes while too many threads run must not count before they do.
                self.watch(0, self.job["watch_pids"], 0)
            if "process" not in self.facts:
                self.pass_on(number)
                self.feed()

    def obey(self) -> None:
        """A frame from the grader."""
        frame = frames.receive(self.link_in)
        if frame is None or frame[0] == b"Q":
            self.facts["stopped"] = True
        elif frame[0] == b"M" and self.channel >= 0:
            if not self.until:
                self.until = _start_clock(self.job, self.link_out)
            self.pending += frame[1]
            self.feed()

    def feed(self) -> None:
        """As much of what waits for the worker as it takes now."""
        if self.channel not in self.sources:
            return
        try:
            while self.pending:
                del self.pending[: os.write(self.channel, self.pending)]
        except BlockingIOError:
            pass  # it is asked again when it can take more
        except OSError:
            self.pending.clear()  # it has closed its end: the grader will hear that it is over
        self.poller.modify(self.channel, select.POLLIN | (select.POLLOUT if self.pending else 0))

    def pass_on(self, number: int) -> bool:
        """What the program wrote; True if there may be more."""
        try:
            data = os.read(number, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.poller.unregister(number)
            self.gone = self.gone or number == self.channel
            del self.sources[number]
            return False
        kind = self.sources[number]
        if kind == b"M":
            self.said = monotonic()
        else:
            data = self.allowed(data)
        frames.send(self.link_out, kind, data)
        return True

    def allowed(self, data: bytes) -> bytes:
        """The part of the output that is within the limit."""
        if len(data) > self.left:
            self.facts["output"] = True
        data = data[: self.left]
        self.left -= len(data)
        return data

    def reap(self) -> None:
        """Every process that has ended; an orphan leaves no trace."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.pid:
                self.status = status

    def end(self) -> None:
        """Kills whatever still runs, and passes on what was still in the pipes."""
        if os.getpid() == 1:
            _kill(-1)
        else:
            _kill(-self.pid)
            _kill(self.pid)
        while self.status is None:
            self.status = os.waitpid(self.pid, 0)[1]
        if "process" in self.facts:
            self.sources.pop(self.channel, None)
        poller = select.poll()
        for number in self.sources:
            poller.register(number, select.POLLIN)
        while self.sources and "output" not in self.facts:
            ready = [number for number, _ in poller.poll(_DRAIN_MS) if number in self.sources]
            if not ready:
                return
            for number in ready:
                if not self.pass_on(number) and number not in self.sources:
                    poller.unregister(number)

    def report(self) -> None:
        """How it ended, and the files that were asked for."""
        room = os.statvfs(self.job["folder"])
        if self.job["disk_mb"] and (room.f_bfree == 0 or room.f_ffree == 0):
            self.facts["disk"] = True
        for name in self.job["collect"]:
            self.collect(name)
        ended = os.waitstatus_to_exitcode(self.status or 0)
        how = {
            "exit": ended if ended >= 0 else None,
            "signal": -ended if ended < 0 else None,
            **self.facts,
            "ended": self.ended,
            "said": self.said,
        }
        if self.job["tell_memory"]:
            how.update(peak=memory.peak(), kills=memory.kills())
        frames.send(self.link_out, b"X", frames.told(how))

    def collect(self, name: str) -> None:
        """A file that the program has left, if it is one and not too large."""
        path = os.path.join(self.job["folder"], name)
        try:
            if not stat.S_ISREG(os.lstat(path).st_mode):
                return  # a folder, a link, a pipe: whatever the program had in mind
            with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
                data = file.read(self.left + 1)
        except OSError:
            return
        if len(data) > self.left:
            self.facts["output"] = True
            return
        self.left -= len(data)
        key = name.encode()
        size = frames.SIZE.pack(len(key)) + key + frames.SIZE.pack(len(data)) + data
        frames.send(self.link_out, b"F", size)


def _start_clock(job: Mapping[str, Any], link: int) -> float:
    """Says that from now on the time is the program's, before it can do anything about that; when it has to be over."""
    now = monotonic()
    frames.send(link, b"B", frames.told({"at": now}))
    return now + float(job["most_s"])


def _kill(whom: int) -> None:
    try:
        os.kill(whom, signal.SIGKILL)
    except ProcessLookupError:
        return  # nothing was left


def attend(job: Mapping[str, Any], link: tuple[int, int], settings: Mapping[str, Any]) -> None:
    """Runs one job to its end and reports it; this process is the first of its namespaces, or the only one."""
    for name, content in job["files"].items():
        _write(os.path.join(job["folder"], name), content)
    inputs = program.open_input(job["stdin"])
    out, err = os.pipe(), os.pipe()
    ours, theirs = _socket.socketpair() if job["worker"] else (None, None)
    wakeup = _hear_of_children()
    confine.dumpable(False)
    before = memory.sockets() if job["watch_memory"] or job["watch_sockets"] else 0
    until = 0.0 if job["worker"] else _start_clock(job, link[1])
    pid = os.fork()
    if pid == 0:
        channel = theirs.fileno() if theirs else -1
        _run(job, program.Streams(inputs, out[1], err[1], channel), settings)
    for number in (inputs, out[1], err[1]):
        os.close(number)
    relay = Relay(job, link, pid)
    relay.sockets, relay.until = before, until
    relay.listen(out[0], b"O")
    relay.listen(err[0], b"E")
    if ours and theirs:
        theirs.close()
        relay.listen(ours.fileno(), b"M")
    relay.run(wakeup)
    relay.end()
    relay.report()


def _run(job: Mapping[str, Any], streams: program.Streams, settings: Mapping[str, Any]) -> None:
    """The program, in its own process, which never returns from here."""
    try:
        program.become(job, streams, settings)
    except OSError as failed:
        frames.write_all(2, f"the box is not ready: {failed}\n".encode())
    finally:
        sys.stdout.flush()
        os._exit(program.NOT_STARTED)


def _hear_of_children() -> int:
    ours, theirs = os.pipe()
    for number in (ours, theirs):
        os.set_blocking(number, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    return ours


def _write(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755)
    with open(number, "wb") as file:
        file.write(content)
