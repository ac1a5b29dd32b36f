"""The default sandbox: bubblewrap, without a daemon; a pool of slots that are made ready once and used by many."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor
from subprocess import SubprocessError
from typing import Any

from steelyard.errors import SandboxError
from steelyard.sandbox import uids
from steelyard.sandbox.boot import CALLS, TESTS
from steelyard.sandbox.box import Box
from steelyard.sandbox.cgroups import Cgroups
from steelyard.sandbox.interpreter import Interpreter, find_interpreter
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.slot import Plan, Slot

_INSTALL = "bubblewrap is not installed; install it (Debian, Ubuntu: apt-get install bubblewrap)"

# The first process of a box looks at /proc fifty times a second; nothing there divides processors.
_WITHOUT_CGROUPS = {"sampled": ["memory_mb", "pids"], "not_kept": ["cpus"]}


class Bubblewrap:
    """Every candidate gets namespaces, files and limits of its own; ``keep`` idle slots stay ready for the next.

    ``weaken`` takes a wall away ("network", "uid", "pids", "memory", "environment", "filter"). It exists so that the
    tests can see the attacks succeed, and whoever uses it has no sandbox.
    """

    name = "bubblewrap"

    def __init__(self, *, keep: int | None = None, weaken: frozenset[str] = frozenset()) -> None:
        found = shutil.which("bwrap")
        if found is None:
            raise SandboxError(_INSTALL)
        self._bwrap, self._weaken = found, weaken
        self._keep = 2 * (os.cpu_count() or 1) if keep is None else keep
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._idle: list[Slot] = []
        self._busy: set[Slot] = set()
        self._closed = False
        # A slot dies with the thread that started it, so one thread that lives as long as the sandbox starts them all.
        self._starter = ThreadPoolExecutor(1, "steelyard-slots")
        self._cgroups, self._why_none = _find_cgroups()
        self._interpreter: Interpreter | None = None
        self._python = ""

    def start(self, job: Job, limits: Limits) -> Box:
        """The job begins to run in a box of its own."""
        preload = self._wanted(job)
        with contextlib.suppress(SandboxError):
            return self._begin(self._take(preload), job, limits)
        # The slot would not take these limits: what the one before had held may not all be given back yet.
        return self._begin(self._new(preload), job, limits)

    def _wanted(self, job: Job | None = None) -> tuple[str, ...]:
        """What is loaded ahead for a job like that: nothing where no other will follow, and as little as will do otherwise,
        since forking takes the longer the more there is."""
        if not self._keep:
            return ()
        return (*CALLS, *TESTS) if job and (job.tests or job.worker == "tester") else CALLS

    def _begin(self, slot: Slot, job: Job, limits: Limits) -> Box:
        with contextlib.ExitStack() as undo:
            undo.callback(slot.release, clean=False)
            box = slot.begin(job, limits)
            undo.pop_all()
        return box

    def describe(self) -> dict[str, Any]:
        """What holds a candidate, for the record of its verdict.

        Without control groups also why there are none, which limits are only checked at intervals
        (`sampled`) and which this machine cannot keep (`not_kept`).
        """
        return {
            "backend": self.name,
            "unsafe": bool(self._weaken),
            "cgroups": self._cgroups is not None,
            "python": self._python,
            **({"without_cgroups": self._why_none, **_WITHOUT_CGROUPS} if self._why_none else {}),
        }

    def warm(self, count: int, limits: Limits | None = None) -> None:
        """So many slots are ready before the first candidate comes, whatever its limits."""
        for slot in [self._take(self._wanted()) for _ in range(count)]:
            self._give_back(slot)

    def close(self) -> None:
        """Every slot is gone; a run that is under way ends with it. In a fork of its process it does nothing."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            self._closed = True
            slots = [*self._idle, *self._busy]
            self._idle, self._busy = [], set()
        with contextlib.ExitStack() as all_of_them:
            all_of_them.callback(self._starter.shutdown)
            for slot in slots:
                all_of_them.callback(slot.close)

    def __enter__(self) -> Bubblewrap:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, preload: tuple[str, ...]) -> Slot:
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox is closed")
            for slot in [slot for slot in reversed(self._idle) if slot.preload == preload]:
                self._idle.remove(slot)
                if slot.alive:
                    self._busy.add(slot)
                    return slot
                slot.close()
        return self._new(preload)

    def _new(self, preload: tuple[str, ...]) -> Slot:
        try:
            return self._starter.submit(self._make, preload).result()
        except (CancelledError, RuntimeError):
            raise SandboxError("the sandbox is closed") from None
        except (OSError, SubprocessError) as failed:
            raise SandboxError(f"a slot cannot be started: {failed}") from failed

    def _make(self, preload: tuple[str, ...]) -> Slot:
        lease = uids.lease()
        with contextlib.ExitStack() as undo:
            undo.callback(lease.release)
            if self._interpreter is None:
                self._interpreter = find_interpreter(lease.uid, lease.gid)
            undo.pop_all()
        plan = Plan(
            self._bwrap, self._interpreter, self._cgroups, preload, not self._keep, self._weaken
        )
        slot = Slot(plan, lease, self._give_back)
        self._python = slot.python
        with self._lock:
            if not self._closed:
                self._busy.add(slot)
                return slot
        slot.close()
        raise SandboxError("the sandbox is closed")

    def _give_back(self, slot: Slot) -> None:
        surplus = [slot]
        with self._lock:
            self._busy.discard(slot)
            if slot.alive and not self._closed:
                # The one that has waited longest makes way: it may be of a kind that nobody asks for any more.
                idle = [*self._idle, slot]
                self._idle = idle[max(0, len(idle) - self._keep) :]
                surplus = idle[: len(idle) - len(self._idle)]
        for one in surplus:
            one.close()


def _find_cgroups() -> tuple[Cgroups | None, str]:
    try:
        return Cgroups.open(), ""
    except SandboxError as missing:
        return None, str(missing)
