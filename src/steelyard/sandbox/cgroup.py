"""One control group: its limits, what the kernel counted in it, and the end of everything that runs there.

The first version of control groups has a tree for each controller, the second has one tree for all. A group hides that: it is a
folder for each controller, and on version 2 they are the same folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from steelyard.errors import SandboxError

CPU_PERIOD_US = 50_000
PROCESSES = "cgroup.procs"
_THREADS, _MYSELF = "tasks", "0"
_SHARE_OF_SOCKETS = 4  # of the memory: it does not come out of the same pot on version 1


class Counters(msgspec.Struct, frozen=True, kw_only=True):
    """What the kernel has counted in a group since it was made; the peak since it was last reset.

    ``memory_failures`` counts how often the limit was reached; giving back cached pages may have been enough then,
    so that only ``oom_kills`` proves that a process ended for it. A peak of None was not to be had.
    """

    oom_kills: int = 0
    memory_failures: int = 0
    pids_refused: int = 0
    peak_memory: int | None = None


class Group(ABC):
    """A group in every tree that matters; ``folders`` has one folder for each controller."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self.folders = dict(folders)
        self._distinct = list(dict.fromkeys(self.folders.values()))

    @abstractmethod
    def set_limits(self, memory_bytes: int, pids: int, cpus: float) -> None:
        """The group as a whole gets no more than this, and no swap."""

    @abstractmethod
    def counters(self) -> Counters:
        """What has been counted."""

    @abstractmethod
    def reset_peak(self) -> None:
        """The peak of memory is from now on counted anew."""

    def add(self, pid: int) -> None:
        """The process, and all that it will start, are in the group."""
        for folder in self._distinct:
            write(folder / PROCESSES, str(pid))

    def processes(self) -> list[int]:
        """The processes in the group, those apart that this process cannot see, and itself."""
        found = {
            int(line) for folder in self._distinct for line in read(folder / PROCESSES).split()
        }
        return sorted(found - {0, os.getpid()})

    @contextlib.contextmanager
    def around(self) -> Iterator[bool]:
        """Whatever this thread starts meanwhile is in the group from its first moment on.

        False where that cannot be had: a process has to be moved then, which takes the kernel ten milliseconds and more.
        """
        yield False

    def kill(self, timeout_s: float = 2.0) -> None:
        """Nothing runs in the group any more; it accepts nothing new until it gets limits again.

        A fork bomb is beaten by forbidding new processes first. SandboxError if something is still there in the end.
        """
        end = time.monotonic() + timeout_s
        pause = 0.0003
        self._stop_growth()
        while self.processes():
            if time.monotonic() > end:
                raise SandboxError(
                    f"control group: {len(self.processes())} processes outlived SIGKILL"
                )
            self._kill_once()
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)

    def remove(self, timeout_s: float = 1.0) -> None:
        """The group is gone. The kernel may need a moment after the last process; a group in use is a SandboxError."""
        end = time.monotonic() + timeout_s
        for folder in self._distinct:
            while not _remove_folder(folder):
                if time.monotonic() > end:
                    raise SandboxError(
                        f"control group {folder.name} cannot be removed: it is in use"
                    )
                time.sleep(0.002)

    def _stop_growth(self) -> None:
        limit = self.folders["pids"] / "pids.max"
        if limit.exists():
            write(limit, "0")

    def _kill_once(self) -> None:
        """SIGKILL to each process; a number that has gone to another process meanwhile is not touched."""
        handles: dict[int, int] = {}
        try:
            for pid in self.processes():
                with contextlib.suppress(ProcessLookupError):
                    handles[pid] = os.pidfd_open(pid)
            for pid in handles.keys() & self.processes():
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handles[pid], signal.SIGKILL)
        finally:
            for handle in handles.values():
                os.close(handle)


class GroupV1(Group):
    """A group of version 1: a folder in the tree of each controller; ``home`` is where our own process lives."""

    def __init__(self, folders: Mapping[str, Path], home: Mapping[str, Path] | None = None) -> None:
        super().__init__(folders)
        self._home = list(dict.fromkeys(home.values())) if home else []

    @contextlib.contextmanager
    def around(self) -> Iterator[bool]:
        # Here a thread may be elsewhere than its process, and one that moves itself need not wait for all others.
        try:
            for folder in self._distinct if self._home else ():
                write(folder / _THREADS, _MYSELF)
            yield bool(self._home)
        finally:
            for folder in self._home:
                write(folder / _THREADS, _MYSELF)

    def set_limits(self, memory_bytes: int, pids: int, cpus: float) -> None:
        memory = self.folders["memory"]
        swap = memory / "memory.memsw.limit_in_bytes"
        # Memory with swap may never be less than memory alone, so it makes room first.
        if swap.exists():
            write(swap, "-1")
        write(memory / "memory.limit_in_bytes", str(memory_bytes))
        if swap.exists():
            write(swap, str(memory_bytes))
        sockets = memory / "memory.kmem.tcp.limit_in_bytes"
        if sockets.exists():
            write(sockets, str(memory_bytes // _SHARE_OF_SOCKETS))
        write(self.folders["pids"] / "pids.max", str(pids))
        if "cpu" in self.folders:
            write(self.folders["cpu"] / "cpu.cfs_period_us", str(CPU_PERIOD_US))
            write_share(self.folders["cpu"] / "cpu.cfs_quota_us", str(round(cpus * CPU_PERIOD_US)))

    def counters(self) -> Counters:
        memory = self.folders["memory"]
        # With swap limited alike, either limit may be the one that is met; some kernels count neither.
        files = [memory / "memory.failcnt", memory / "memory.memsw.failcnt"]
        killed = read_table(memory / "memory.oom_control").get("oom_kill", 0)
        return Counters(
            oom_kills=killed,
            memory_failures=max(killed, sum(int(read(file)) for file in files if file.exists())),
            pids_refused=read_table(self.folders["pids"] / "pids.events").get("max", 0),
            peak_memory=int(read(memory / "memory.max_usage_in_bytes")),
        )

    def reset_peak(self) -> None:
        write(self.folders["memory"] / "memory.max_usage_in_bytes", "0")


class GroupV2(Group):
    """A group of version 2: one folder."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        super().__init__(folders)
        self._folder = self.folders["memory"]
        self._peak: int | None = (
            None  # an open memory.peak: a reset holds only for the file that was written to
        )
        self._was_reset = False

    def set_limits(self, memory_bytes: int, pids: int, cpus: float) -> None:
        write(self._folder / "memory.max", str(memory_bytes))
        if (self._folder / "memory.swap.max").exists():
            write(self._folder / "memory.swap.max", "0")
        write(self._folder / "pids.max", str(pids))
        if (self._folder / "cpu.max").exists():
            write_share(self._folder / "cpu.max", f"{round(cpus * CPU_PERIOD_US)} {CPU_PERIOD_US}")

    def counters(self) -> Counters:
        memory = read_table(self._folder / "memory.events")
        return Counters(
            oom_kills=memory.get("oom_kill", 0),
            memory_failures=memory.get("max", 0),
            pids_refused=read_table(self._folder / "pids.events").get("max", 0),
            peak_memory=self._read_peak(),
        )

    def reset_peak(self) -> None:
        self._close_peak()
        self._was_reset = True
        # A kernel before 6.12 cannot reset it: the peak of an earlier program is then not told as this one's.
        try:
            self._peak = os.open(self._folder / "memory.peak", os.O_RDWR | os.O_CLOEXEC)
            os.write(self._peak, b"reset\n")
        except OSError:
            self._close_peak()

    def remove(self, timeout_s: float = 1.0) -> None:
        self._close_peak()
        super().remove(timeout_s)

    def _read_peak(self) -> int | None:
        if self._peak is not None:
            return int(os.pread(self._peak, 64, 0))
        path = self._folder / "memory.peak"
        return None if self._was_reset or not path.exists() else int(read(path))

    def _close_peak(self) -> None:
        if self._peak is not None:
            os.close(self._peak)
            self._peak = None

    def _kill_once(self) -> None:
        one_stroke = self._folder / "cgroup.kill"  # since Linux 5.14
        if one_stroke.exists():
            write(one_stroke, "1")
        else:
            super()._kill_once()


def read(path: Path) -> str:
    """What a file of the kernel's says."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return _read_all(number).decode("utf-8", "surrogateescape")
        finally:
            os.close(number)
    except OSError as failed:
        raise SandboxError(f"control group: cannot read {path.name}: {failed.strerror}") from failed


def _read_all(number: int) -> bytes:
    """Without the layers of a file object, which take longer than the kernel does; every run reads a dozen of these."""
    parts = []
    while part := os.read(number, 1 << 16):
        parts.append(part)
    return b"".join(parts)


def read_table(path: Path) -> dict[str, int]:
    """A file of lines ``name number``; other lines are left out, and a file that this kernel lacks is empty."""
    if not path.exists():
        return {}
    pairs = [line.split() for line in read(path).splitlines()]
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def write(path: Path, text: str) -> None:
    """The kernel has taken the text, or SandboxError says why not."""
    try:
        _write(path, text)
    except OSError as failed:
        raise SandboxError(
            f"control group: cannot write {text!r} to {path.name}: {failed.strerror}"
        ) from failed


def write_share(path: Path, text: str) -> None:
    """As `write`; a share of the processors that is more than the group above has is left to the group above."""
    try:
        _write(path, text)
    except OSError as failed:
        if failed.errno != errno.EINVAL:
            raise SandboxError(
                f"control group: cannot write {text!r} to {path.name}: {failed.strerror}"
            ) from failed


def _write(path: Path, text: str) -> None:
    number = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
    try:
        os.write(number, text.encode())
    finally:
        os.close(number)


def _remove_folder(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
