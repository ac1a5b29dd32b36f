"""A slot: one bubblewrap with a prepared interpreter in it, which gives every candidate a box of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from steelyard.sandbox.boot import ENVIRONMENT, boot_source, greeting, job_frame
from steelyard.sandbox.box import Box
from steelyard.sandbox.cgroup import Counters, Group
from steelyard.sandbox.cgroups import Cgroups
from steelyard.sandbox.complaints import explain
from steelyard.sandbox.interpreter import Interpreter
from steelyard.sandbox.job import Job, Limit
from steelyard.sandbox.layout import GID, UID, tree
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.prepared import Prepared
from steelyard.sandbox.uids import Lease
from steelyard.sandbox.watch import descendants, living

_START = 20.0  # seconds for bubblewrap and the interpreter to be ready
_END = 1.0
_OWN_MEMORY = 24 << 20  # of the zygote and of init
_OWN_PROCESSES = 8
_LEAST_PROCESSES = 3  # bubblewrap, the first process of its pid namespace, and the zygote
_FAMILY = 2.0  # seconds for them to be there
_PLENTY = 1 << 40
_THREAD_SPACE = 80 << 20  # addresses that glibc reserves for a thread: 8 MB of stack, 64 MB of heap
_CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_NET_ADMIN", "CAP_SYS_RESOURCE", "CAP_SETPCAP")


class Plan(NamedTuple):
    """How a slot is made: ``preload`` names the modules that its interpreter loads before the first candidate is there;
    one that is used ``once`` ends with its candidate."""

    bwrap: str
    interpreter: Interpreter
    cgroups: Cgroups | None
    preload: tuple[str, ...]
    once: bool
    weak: frozenset[str]


class Slot:
    """One place for one candidate at a time; the `Host` of the boxes that it makes."""

    def __init__(self, plan: Plan, lease: Lease, on_release: Callable[[Slot], None]) -> None:
        self._plan, self._lease, self._on_release = plan, lease, on_release
        self.preload = plan.preload
        self._weak = plan.weak
        self._closing = threading.RLock()
        self._before: Counters | None = None
        self._after: Counters | None = None
        self._limits: tuple[int, int, float] | None = None  # those that the group has
        self._own = 0  # how many processes are in the group without a candidate
        self._found: tuple[Limit | None] | None = (
            None  # what was hit, once the slot has been killed
        )
        self._group: Group | None = None
        with contextlib.ExitStack() as undo:
            undo.callback(lease.release)
            if plan.cgroups:
                self._group = plan.cgroups.make(f"slot-{lease.uid}-{time.monotonic_ns():x}")
                undo.callback(self._group.remove)
            with self._group.around() if self._group else contextlib.nullcontext(False) as joined:
                self._prepared = self._launch()
            undo.callback(self._prepared.close)
            undo.callback(self.kill)
            self._link = self._prepared.link
            if not joined:
                self._join_group()  # which takes the kernel as long as the interpreter needs to start
            self.python = self._prepared.wait(_START, explain)
            if not joined:
                self._join_group()
            self._own = len(self._group.processes()) if self._group else 0
            self._undo = undo.pop_all()

    def _join_group(self) -> None:
        """Everything that runs in the slot is in its control group before the first candidate is there."""
        if not self._group:
            return
        process = self._prepared.process
        until = time.monotonic() + _FAMILY
        while len(family := [process.pid, *descendants(process.pid)]) < _LEAST_PROCESSES:
            if time.monotonic() > until or process.poll() is not None:
                return  # it does not start, which is told by whoever waits for it
            time.sleep(0.001)
        for pid in set(family) - set(self._group.processes()):
            self._group.add(pid)

    def _launch(self) -> Prepared:
        interpreter = self._plan.interpreter
        options, numbers = tree(interpreter)
        for capability in _CAPABILITIES:
            options += ["--cap-add", capability]
        spaces = [
            "--unshare-user",
            "--unshare-ipc",
            "--unshare-pid",
            "--unshare-uts",
            "--unshare-cgroup-try",
        ]
        if "network" not in self._weak:
            spaces.append("--unshare-net")
        command = [
            self._plan.bwrap,
            *spaces,
            "--uid",
            str(UID),
            "--gid",
            str(GID),
            "--hostname",
            "box",
            "--die-with-parent",
            "--new-session",
            *options,
            "--",
            interpreter.path,
            "-S",
            "-s",
            "-B",
            "-c",
            boot_source(),
        ]
        user: dict[str, Any] = {}
        if os.geteuid() == 0 and "uid" not in self._weak:
            user = {"user": self._lease.uid, "group": self._lease.gid, "extra_groups": []}
        env = {**(os.environ if "environment" in self._weak else {}), **ENVIRONMENT}
        greets = greeting(
            namespaces=True,
            network="network" in self._weak,
            counted=self._group is not None,
            filtered="filter" not in self._weak,
            version=interpreter.version,
            path=interpreter.folders,
            preload=self._plan.preload,
            once=self._plan.once,
        )
        try:
            return Prepared(command, greets, env=env, cwd="/", pass_fds=numbers, **user)
        finally:
            for number in numbers:
                os.close(number)

    @property
    def alive(self) -> bool:
        """Whether the next candidate can have it."""
        return self._prepared.alive

    def begin(self, job: Job, limits: Limits) -> Box:
        """Starts the job; the slot is taken until the box has been finished or stopped."""
        more: dict[str, Any] = {"rlimits": {}}
        memory = limits.memory_mb << 20
        if self._group:
            self._limit(self._group, limits)
        elif "memory" not in self._weak:
            more["watch_memory"] = memory
            more["rlimits"]["as"] = 2 * memory + (512 << 20) + limits.pids * _THREAD_SPACE
        if "pids" not in self._weak:
            more["watch_pids"] = 0 if self._group else limits.pids
            more["rlimits"]["nproc"] = limits.pids + _OWN_PROCESSES
        self._link.send(b"J", job_frame(job, limits, **more))
        return Box(self._link, self, job, limits)

    def _limit(self, group: Group, limits: Limits) -> None:
        """The group has these limits, and what it counts from here on is this job's."""
        memory = _PLENTY if "memory" in self._weak else (limits.memory_mb << 20) + _OWN_MEMORY
        pids = 4096 if "pids" in self._weak else limits.pids + self._own + 1
        wanted = memory, pids, limits.cpus
        if wanted != self._limits:
            group.set_limits(*wanted)
            self._limits = wanted
        group.reset_peak()
        self._before, self._after = group.counters(), None

    def kill(self) -> None:
        """Ends everything in the slot, and the slot with it."""
        self._found = self._found or (
            self.limit_hit(),
        )  # killing a group counts as refusing it processes
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._prepared.process.pid, signal.SIGKILL)
        if self._group:
            self._group.kill()

    def runs(self) -> bool:
        """Whether anything is there but bubblewrap, the zygote, and the first process of the candidate's namespaces."""
        return len(living(self._prepared.process.pid)) > _LEAST_PROCESSES

    def limit_hit(self) -> Limit | None:
        """What the control group has counted since the job began."""
        if self._found:
            return self._found[0]
        if not self._group or not self._before:
            return None
        self._after = now = self._group.counters()
        if now.oom_kills > self._before.oom_kills:
            return "memory"
        return "process" if now.pids_refused > self._before.pids_refused else None

    def peak_memory(self) -> int | None:
        """The most that candidate and zygote held together."""
        if self._found or not self._group:
            return None
        return (self._after or self._group.counters()).peak_memory

    def release(self, *, clean: bool) -> None:
        """Waits until the candidate's namespaces are gone; a slot that does not say so, or has served, is closed."""
        until = time.monotonic() + _END
        gone, clean = False, clean and not self._plan.once
        while clean and not gone and not self._link.ended and time.monotonic() < until:
            gone = any(kind == b"Z" for kind, _ in self._link.frames(until))
        try:
            if not gone:
                self.close()
        finally:
            self._on_release(self)

    def close(self) -> None:
        """Nothing of it is left; may be called again, and by another thread."""
        with self._closing:
            self._undo.close()
