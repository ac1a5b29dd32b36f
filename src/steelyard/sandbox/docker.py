"""The sandbox that Docker makes: a container for each candidate, started ahead where that is wanted, and used once."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from steelyard.errors import SandboxError
from steelyard.sandbox import docker_users
from steelyard.sandbox.boot import boot_source, greeting, job_frame
from steelyard.sandbox.box import Box
from steelyard.sandbox.docker_client import LABEL, Client, explain, owner
from steelyard.sandbox.first import First
from steelyard.sandbox.job import Job, Limit
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.uids import end_processes_of

IMAGE = "python:3.12-slim"
IMAGE_VARIABLE = "STEELYARD_DOCKER_IMAGE"
_START = 60.0  # seconds for a container and the interpreter in it to be ready
_END = 2.0  # seconds for a container to end that has nothing left to run
_REMOVALS, _PAUSE = 5, 0.2  # tries to remove a container, and seconds between them
_OWN_MEMORY = 24  # megabytes, of the interpreter that waits and relays
_OWN_PROCESSES = 8  # so that too many processes can be seen before they are refused
_ALWAYS = (
    "--interactive",
    "--pull",
    "never",
    "--network",
    "none",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
    "--read-only",
    "--ipc",
    "private",
    "--log-driver",
    "none",
    "--no-healthcheck",
    "--ulimit",
    "core=0",
    "--hostname",
    "box",
    "--workdir",
    "/box",
    "--entrypoint",
    "python3",
    # The memory limit does not see what the kernel holds for connections: they must not grow of themselves.
    "--sysctl",
    "net.ipv4.tcp_rmem=4096 65536 131072",
    "--sysctl",
    "net.ipv4.tcp_wmem=4096 65536 131072",
)


class Size(NamedTuple):
    """What a container is given when it is made; time and output are watched from outside."""

    memory_mb: int
    pids: int
    disk_mb: int
    cpus: float

    def options(self, uid: int, gid: int) -> list[str]:
        """The options of ``docker run`` for these limits, and for a user of that number."""
        files = max(1024, 64 * self.disk_mb)
        place = f"rw,nosuid,nodev,exec,size={self.disk_mb}m,nr_inodes={files},mode=0700,uid={uid},gid={gid}"
        memory = f"{self.memory_mb + _OWN_MEMORY}m"
        return [
            "--user",
            f"{uid}:{gid}",
            "--memory",
            memory,
            "--memory-swap",
            memory,
            "--cpus",
            f"{self.cpus:g}",
            "--pids-limit",
            str(self.pids + _OWN_PROCESSES),
            "--tmpfs",
            f"/box:{place}",
            "--tmpfs",
            f"/tmp:{place}",
            "--shm-size",
            f"{self.disk_mb}m",
        ]


class Container:
    """One container with a prepared interpreter that waits for one job; the `Host` of that job's box."""

    def __init__(
        self, client: Client, image: str, size: Size, more: list[str], on_release: Released
    ) -> None:
        self._client, self._on_release = client, on_release
        self.name = f"steelyard-{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._closing, self._closed = threading.Lock(), False
        lease = docker_users.lend()
        self.uid = lease.uid
        command = [
            "run",
            "--name",
            self.name,
            "--label",
            f"{LABEL}={owner()}",
            *_ALWAYS,
            *size.options(lease.uid, lease.gid),
            *more,
            image,
            "-s",
            "-B",
            "-c",
            boot_source(),
        ]
        with contextlib.ExitStack() as undo:
            undo.callback(lease.release)
            self._prepared = client.launch(command, greeting(namespaces=False))
            undo.callback(self._prepared.close)
            undo.callback(self._remove)
            self._process, self._link = self._prepared.process, self._prepared.link
            self.python = self._prepared.wait(_START, explain)
            self._first = First(self.uid)
            undo.callback(self._first.close)
            self._undo = undo.pop_all()

    def _remove(self) -> None:
        """A daemon that has not yet seen the container's end may refuse for a moment."""
        for _ in range(_REMOVALS):
            try:
                self._client.ask("rm", "--force", self.name)
            except SandboxError as refused:  # or it was never made, or the daemon is gone
                if "No such container" in str(refused):
                    return
                time.sleep(_PAUSE)
            else:
                return

    @property
    def alive(self) -> bool:
        """Whether a job can be given to it."""
        return self._prepared.alive

    def begin(self, job: Job, limits: Limits, *, count_sockets: bool) -> Box:
        """Starts the job; the container is gone when the box has been finished or stopped."""
        sockets = limits.memory_mb << 20 if count_sockets else 0
        told = job_frame(
            job, limits, watch_pids=limits.pids, watch_sockets=sockets, tell_memory=True
        )
        self._link.send(b"J", told)
        return Box(self._link, self, job, limits)

    def kill(self) -> None:
        """Ends every process in the container; ending the client alone would leave it running.

        A daemon may take its time, so where it is on this machine the processes are ended before it is asked.
        """
        with self._closing:  # once closed, its user is another's
            if self._closed or self._first.kill() or end_processes_of(self.uid):
                return
        with contextlib.suppress(SandboxError):  # it has ended by itself, or the daemon is gone
            self._client.ask("kill", self.name)

    def runs(self) -> bool | None:
        """Whether anything but the container's first process is there, where we may look."""
        with self._closing:
            return False if self._closed else self._first.runs_others()

    def limit_hit(self) -> Limit | None:
        """Whether the kernel killed for memory, which Docker says only of a container that has ended, and late.

        So it is asked only where the first process of the container has not told by itself.
        """
        try:
            self._process.wait(_END)
        except subprocess.TimeoutExpired:
            self.kill()
        told = self._client.ask(
            "inspect", "--format", "{{.State.OOMKilled}} {{.State.Running}}", self.name
        )
        return "memory" if told.startswith("true") else None

    def peak_memory(self) -> int | None:
        """Docker does not keep it; the container tells what its own control group has counted, where it can."""
        return None

    def release(self, *, clean: bool) -> None:
        """The container is removed, without the grader waiting for it where it ended in good order."""
        if clean:
            self._on_release(self)
        else:
            self.close()

    def close(self) -> None:
        """Nothing of it is left; may be called twice."""
        with self._closing:
            self._closed = True
            self._undo.close()


Released = Callable[[Container], None]


class Docker:
    """Every candidate gets a container of its own; ``keep`` containers are started ahead, each for one candidate.

    The image needs nothing but a ``python3``. ``runtime`` is a runtime that the daemon knows, as ``runsc`` for gVisor.
    """

    name = "docker"

    def __init__(
        self, *, image: str | None = None, runtime: str | None = None, keep: int = 0
    ) -> None:
        self._client = Client()
        self._daemon = self._client.daemon()
        self._image = image or os.environ.get(IMAGE_VARIABLE) or IMAGE
        self._runtime = runtime or self._daemon.default
        if self._runtime not in self._daemon.runtimes:
            known = ", ".join(sorted(self._daemon.runtimes))
            raise SandboxError(
                f"the Docker daemon does not know the runtime {self._runtime}; it knows {known}"
            )
        self._client.has_image(self._image)
        self._client.sweep()
        self._keep, self._python = keep, ""
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._ready: deque[Future[Container]] = deque()
        self._size: Size | None = None
        self._open: set[Container] = set()
        self._closed = False
        self._workers = ThreadPoolExecutor(2, "steelyard-docker")

    def start(self, job: Job, limits: Limits) -> Box:
        """The job begins to run in a container of its own."""
        container = self._take(Size(limits.memory_mb, limits.pids, limits.disk_mb, limits.cpus))
        with contextlib.ExitStack() as undo:
            undo.callback(self._remove, container)
            # A control group of version 1 sees nothing of what the kernel holds in sockets, and Docker cannot make it look.
            box = container.begin(job, limits, count_sockets=self._daemon.cgroups == "1")
            undo.pop_all()
        return box

    def describe(self) -> dict[str, Any]:
        """What holds a candidate, for the record of its verdict."""
        return {
            "backend": self.name,
            "unsafe": False,
            "cgroups": True,
            "python": self._python,
            "image": self._image,
            "runtime": self._runtime,
            "docker": self._daemon.version,
            "cgroup_version": self._daemon.cgroups,
        }

    def warm(self, count: int, limits: Limits | None = None) -> None:
        """So many containers are ready for candidates with these limits, and are replaced as they are used."""
        wanted = limits or Limits()
        self._keep = count
        self._refill(Size(wanted.memory_mb, wanted.pids, wanted.disk_mb, wanted.cpus))
        with self._lock:
            waiting = list(self._ready)
        for future in waiting:
            future.result()

    def close(self) -> None:
        """Every container is gone; a run that is under way ends with it. In a fork of its process it does nothing."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            self._closed = True
            waiting, self._ready = list(self._ready), deque()
        for future in waiting:
            future.cancel()
        self._workers.shutdown()
        with self._lock:
            left = list(self._open)
        with contextlib.ExitStack() as all_of_them:
            for container in left:
                all_of_them.callback(self._remove, container)

    def __enter__(self) -> Docker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, size: Size) -> Container:
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox is closed")
            waiting = self._ready.popleft() if self._ready and self._size == size else None
        try:
            container = waiting.result() if waiting else self._make(size)
        except CancelledError:
            raise SandboxError("the sandbox is closed") from None
        if not container.alive:
            self._remove(container)
            container = self._make(size)
        self._refill(size)
        return container

    def _make(self, size: Size) -> Container:
        more = ["--runtime", self._runtime] if self._runtime != self._daemon.default else []
        try:
            container = Container(self._client, self._image, size, more, self._remove_later)
        except (OSError, subprocess.SubprocessError) as failed:
            raise SandboxError(f"a container cannot be started: {failed}") from failed
        self._python = container.python
        with self._lock:
            if not self._closed:
                self._open.add(container)
                return container
        container.close()
        raise SandboxError("the sandbox is closed")

    def _refill(self, size: Size) -> None:
        """Starts containers ahead for what was asked for last; those of another size are given up."""
        with self._lock:
            if self._closed:
                return
            stale = list(self._ready) if self._size != size else []
            if stale:
                self._ready.clear()
            self._size = size
            while len(self._ready) < self._keep:
                self._ready.append(self._workers.submit(self._make, size))
        for future in stale:
            future.add_done_callback(self._give_up)

    def _give_up(self, future: Future[Container]) -> None:
        if not future.cancelled() and future.exception() is None:
            self._remove_later(future.result())

    def _remove_later(self, container: Container) -> None:
        try:
            self._workers.submit(self._remove, container)
        except RuntimeError:  # the sandbox is being closed, and nothing is left for later
            self._remove(container)

    def _remove(self, container: Container) -> None:
        container.close()
        with self._lock:
            self._open.discard(container)
