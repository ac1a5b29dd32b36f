"""A slot: one bubblewrap with a prepared interpreter in it, which gives every candidate a box of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from typing import Any, NamedTuple

from steelyard.errors import SandboxError
from steelyard.sandbox.boot import ENVIRONMENT, boot_source, greeting, job_frame
from steelyard.sandbox.box import Box
from steelyard.sandbox.cgroup import Counters
from steelyard.sandbox.cgroups import Cgroups
from steelyard.sandbox.interpreter import Interpreter
from steelyard.sandbox.job import Job, Limit
from steelyard.sandbox.layout import GID, UID, tree
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.link import Link
from steelyard.sandbox.uids import Lease
from steelyard.sandbox.watch import descendants

_START = 20.0  # seconds for bubblewrap and the interpreter to be ready
_END = 1.0
_OWN_MEMORY = 24 << 20  # of the zygote and of init
_OWN_PROCESSES = 8
_LEAST_PROCESSES = 3  # bubblewrap, the first process of its pid namespace, and the zygote
_FAMILY = 2.0  # seconds for them to be there
_PLENTY = 1 << 40
_CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_NET_ADMIN", "CAP_SYS_RESOURCE", "CAP_SETPCAP")


class Plan(NamedTuple):
    """How the slots of a sandbox are made: ``reused`` ones load what candidates often import beforehand."""

    bwrap: str
    interpreter: Interpreter
    cgroups: Cgroups | None
    reused: bool
    weak: frozenset[str]


class Slot:
    """One place for one candidate at a time; the `Host` of the boxes that it makes."""

    def __init__(self, plan: Plan, lease: Lease) -> None:
        self._closing = threading.Lock()
        self.lease, self._plan, self._weak = lease, plan, plan.weak
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._group = plan.cgroups.make(f"slot-{lease.uid}-{time.monotonic_ns():x}") if plan.cgroups else None
        self._before: Counters | None = None
        self._found: tuple[Limit | None] | None = None  # what was hit, once the slot has been killed
        self._process = self._launch(plan.bwrap, plan.interpreter)
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            self._join_group()  # which takes the kernel as long as the interpreter needs to start
            self.python = self._wait_until_ready()
            self._join_group()
            undo.pop_all()

    def _join_group(self) -> None:
        """Everything that runs in the slot is in its control group before the first candidate is there."""
        if not self._group:
            return
        until = time.monotonic() + _FAMILY
        while len(family := [self._process.pid, *descendants(self._process.pid)]) < _LEAST_PROCESSES:
            if time.monotonic() > until or self._process.poll() is not None:
                return  # it does not start, which is told by whoever waits for it
            time.sleep(0.001)
        for pid in set(family) - set(self._group.processes()):
            self._group.add(pid)

    def _launch(self, bwrap: str, interpreter: Interpreter) -> subprocess.Popen[bytes]:
        ours, theirs = socket.socketpair()
        options, numbers = tree(interpreter)
        for capability in _CAPABILITIES:
            options += ["--cap-add", capability]
        spaces = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
        if "network" not in self._weak:
            spaces.append("--unshare-net")
        command = [bwrap, *spaces, "--uid", str(UID), "--gid", str(GID), "--hostname", "box", "--die-with-parent",
                   "--new-session", *options, "--", interpreter.path, "-s", "-B", "-c", boot_source()]  # fmt: skip
        as_root = os.geteuid() == 0 and "uid" not in self._weak
        env = {**(os.environ if "environment" in self._weak else {}), **ENVIRONMENT}
        with theirs:
            process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=self._errors, env=env, cwd="/", pass_fds=numbers,
                user=self.lease.uid if as_root else None, group=self.lease.gid if as_root else None,
                extra_groups=[] if as_root else None,
            )  # fmt: skip
        for number in numbers:
            os.close(number)
        self._socket = ours
        self._link = Link(ours.fileno(), ours.fileno())
        self._link.raw(
            greeting(
                namespaces=True, capabilities=True, network="network" in self._weak,
                counted=self._group is not None, filtered="filter" not in self._weak,
                version=interpreter.version, preload=self._plan.reused,
            )
        )  # fmt: skip
        return process

    def _wait_until_ready(self) -> str:
        until = time.monotonic() + _START
        while time.monotonic() < until and not self._link.ended:
            for kind, content in self._link.frames(until):
                if kind == b"H":
                    return str(json.loads(content)["python"])
        raise SandboxError(f"bubblewrap does not start: {self._complaint()}")

    def _complaint(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END)
        self._errors.seek(0)
        lines = self._errors.read(4000).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with {self._process.poll()}"

    @property
    def alive(self) -> bool:
        """Whether the next candidate can have it."""
        return self._process.poll() is None and not self._link.ended

    def begin(self, job: Job, limits: Limits) -> Box:
        """Starts the job; the slot is taken until the box has been finished or stopped."""
        more: dict[str, Any] = {"rlimits": {}}
        memory = limits.memory_mb << 20
        if self._group:
            self._group.set_limits(
                memory_bytes=_PLENTY if "memory" in self._weak else memory + _OWN_MEMORY,
                pids=4096 if "pids" in self._weak else limits.pids + len(self._group.processes()) + 1,
                cpus=limits.cpus,
            )
            self._group.reset_peak()
            self._before = self._group.counters()
        elif "memory" not in self._weak:
            more["watch_memory"] = memory
            more["rlimits"]["as"] = 2 * memory + (512 << 20)
        if "pids" not in self._weak:
            more["watch_pids"] = 0 if self._group else limits.pids
            more["rlimits"]["nproc"] = limits.pids + _OWN_PROCESSES
        self._link.send(b"J", job_frame(job, limits, **more))
        return Box(self._link, self, job, limits)

    def kill(self) -> None:
        """Ends everything in the slot, and the slot with it."""
        self._found = self._found or (self.limit_hit(),)  # killing a group counts as refusing it processes
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        if self._group:
            self._group.kill()

    def limit_hit(self) -> Limit | None:
        """What the control group has counted since the job began."""
        if self._found:
            return self._found[0]
        if not self._group or not self._before:
            return None
        now = self._group.counters()
        if now.oom_kills > self._before.oom_kills:
            return "memory"
        return "process" if now.pids_refused > self._before.pids_refused else None

    def peak_memory(self) -> int | None:
        """The most that candidate and zygote held together."""
        return self._group.counters().peak_memory if self._group and not self._found else None

    def release(self, *, clean: bool) -> None:
        """Waits until the candidate's namespaces are gone; a slot that does not say so is closed."""
        until = time.monotonic() + _END
        gone = False
        while clean and not gone and not self._link.ended and time.monotonic() < until:
            gone = any(kind == b"Z" for kind, _ in self._link.frames(until))
        if not gone:
            self.close()
        self.on_release(self)

    def on_release(self, slot: Slot) -> None:
        """Replaced by whoever lends the slot."""

    def close(self) -> None:
        """Nothing of it is left; may be called again."""
        with self._closing:
            if self._socket.fileno() < 0:
                return
            self.kill()
            self._process.wait()
            self._link.ended = True
            self._socket.close()
            self._errors.close()
            if self._group:
                self._group.remove()
            self.lease.release()
