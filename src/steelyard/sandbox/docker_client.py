"""The ``docker`` command: how it is asked, and what its complaints mean for whoever runs us."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

import msgspec

from steelyard.errors import SandboxError
from steelyard.sandbox.identity import began, pid_namespace, still_runs
from steelyard.sandbox.prepared import Prepared

LABEL = "steelyard.owner"
_ANSWER = 20.0  # seconds for the daemon to answer
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_INFO = '{"version":{{json .ServerVersion}},"machine":{{json .Architecture}},"cgroups":{{json .CgroupVersion}},"runtimes":{{json .Runtimes}},"default":{{json .DefaultRuntime}},"security":{{json .SecurityOptions}},"limits":[{{json .MemoryLimit}},{{json .PidsLimit}}]}'


class Daemon(msgspec.Struct, frozen=True):
    """What a Docker daemon says of itself."""

    version: str
    machine: str
    cgroups: str
    runtimes: dict[str, object]
    default: str
    security: list[str] | None
    limits: tuple[bool, bool]


class Client:
    """Asks the daemon that the environment names (DOCKER_HOST, or the context in use)."""

    def __init__(self) -> None:
        found = shutil.which("docker")
        if found is None:
            raise SandboxError(
                "there is no docker command; install it (Debian, Ubuntu: apt-get install docker.io)"
            )
        self._command = found

    def ask(self, *words: str) -> str:
        """What docker answers; its complaint is a SandboxError."""
        try:
            done = subprocess.run(
                [self._command, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_ANSWER,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise SandboxError(
                f"the Docker daemon did not answer within {_ANSWER:g} seconds"
            ) from None
        if done.returncode:
            raise SandboxError(explain(done.stderr))
        return done.stdout.strip()

    def launch(self, words: list[str], greeting: bytes) -> Prepared:
        """docker with a link to what it runs; it is in a session of its own, so that Ctrl-C reaches us alone."""
        return Prepared([self._command, *words], greeting, start_new_session=True)

    def daemon(self) -> Daemon:
        """The daemon that answers, if it can hold a program of this machine to its limits."""
        try:
            told = msgspec.json.decode(self.ask("info", "--format", _INFO), type=Daemon)
        except msgspec.DecodeError:
            raise SandboxError(
                "no Docker daemon answers; start it, or set DOCKER_HOST to one that runs"
            ) from None
        here = platform.machine()
        if _MACHINES.get(told.machine, told.machine) != _MACHINES.get(here, here):
            raise SandboxError(
                f"the Docker daemon runs on {told.machine} and this process on {here}; both must be the same"
            )
        if not all(told.limits):
            raise SandboxError(
                "the Docker daemon cannot limit memory and processes; mount the control groups of the machine"
            )
        return told

    def has_image(self, image: str) -> None:
        """The image is there; it is never fetched in passing."""
        try:
            self.ask("image", "inspect", "--format", "{{.Id}}", image)
        except SandboxError as failed:
            if "no such" not in str(failed).lower():
                raise
            raise SandboxError(
                f"Docker has no image {image}; get it (docker pull {image}), or name one that it has"
            ) from None

    def sweep(self) -> int:
        """Removes the containers that graders which are no more have left; returns how many."""
        shown = self.ask(
            "ps",
            "--all",
            "--filter",
            f"label={LABEL}",
            "--format",
            f'{{{{.ID}}}} {{{{.Label "{LABEL}"}}}}',
        )
        left = [
            line.split(" ", 1)[0]
            for line in shown.splitlines()
            if not is_alive(line.partition(" ")[2])
        ]
        if left:
            self.ask("rm", "--force", *left)
        return len(left)


def explain(complaint: str) -> str:
    """One line for whoever runs us, from what docker wrote.

    >>> explain("Cannot connect to the Docker daemon at tcp://box:1. Is the docker daemon running?")
    'no Docker daemon answers; start it, or set DOCKER_HOST to one that runs'
    """
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    said = next(
        (line for line in lines if not line.startswith("See 'docker")), "it did not say why"
    )
    lowered = complaint.lower()
    if "permission denied" in lowered and "connect" in lowered:
        return "you may not use the Docker daemon; become a member of the group docker, or use another sandbox"
    if any(
        words in lowered
        for words in ("cannot connect", "failed to connect", "error during connect", "no such host")
    ):
        return "no Docker daemon answers; start it, or set DOCKER_HOST to one that runs"
    if "unknown runtime" in lowered or "unknown or invalid runtime" in lowered:
        return f"the Docker daemon does not have that runtime: {said}"
    return f"Docker failed: {said}"


def owner() -> str:
    """This process, as a label that no other process will ever have.

    >>> is_alive(owner())
    True
    """
    return f"{_world()}/{os.getpid()}/{began(os.getpid())}"


def is_alive(label: str) -> bool:
    """Whether the owner of that label still runs; one that lives elsewhere may, for all that is known here."""
    world, pid, moment = label.split("/") if label.count("/") == 2 else ("", "", "")
    return world != _world() or still_runs(int(pid), int(moment))


def _world() -> str:
    """Where a process number means this process: this start of this machine, and this namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}-{pid_namespace()}"
    except OSError:
        return platform.node()
