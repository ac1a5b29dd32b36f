"""The self-test: before the first candidate, a program of ours tries from inside what must not be possible."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import SandboxError
from steelyard.sandbox.boot import ENVIRONMENT
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox, run


class Probe(msgspec.Struct, frozen=True):
    """One thing that was tried from inside: whether the wall held, what it means if not, and what would mend it."""

    name: str
    held: bool
    means: str
    remedy: str


def self_test(sandbox: Sandbox, limits: Limits | None = None) -> list[Probe]:
    """What was tried, all of it in vain; a SandboxError names whatever was possible."""
    with _outside() as told:
        job = Job(argv=("python3", "probe.py"), files={"probe.py": _program()}, stdin=json.dumps(told).encode())
        outcome = run(sandbox, job, limits or Limits())
    probes = _read(outcome.stdout, outcome.stderr, sandbox.name)
    broken = [f"{probe.means} ({probe.remedy})" for probe in probes if not probe.held]
    if broken:
        raise SandboxError(f"the sandbox {sandbox.name} does not hold: {'; '.join(broken)}")
    return probes


@cache
def _program() -> bytes:
    return (files("steelyard.sandbox") / "probe.py").read_bytes()


@cache
def _walls() -> dict[str, tuple[str, str]]:
    content = (files("steelyard") / "data" / "sandbox_walls.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, tuple[str, str]])


def _read(stdout: bytes, stderr: bytes, name: str) -> list[Probe]:
    """What the program says; one that did not try everything has shown nothing."""
    try:
        through = msgspec.json.decode(stdout, type=dict[str, bool])
    except msgspec.DecodeError:
        lines = stderr.decode("utf-8", "replace").strip().splitlines() or ["it said nothing"]
        raise SandboxError(f"the self-test did not run in the sandbox {name}: {lines[-1]}") from None
    if through.keys() != _walls().keys():
        raise SandboxError(f"the self-test of the sandbox {name} did not try everything")
    return [Probe(wall, not through[wall], *texts) for wall, texts in _walls().items()]


@contextlib.contextmanager
def _outside() -> Iterator[dict[str, Any]]:
    """What is there to be reached, for as long as the test takes."""
    home = Path.home()
    secret = secrets.token_hex(16)
    with tempfile.TemporaryDirectory() as folder, socket.socket() as server, socket.socket(socket.AF_UNIX) as local:
        canary = Path(folder, "canary")
        canary.write_text(secret)
        os.chmod(folder, 0o755)  # so that nothing but the sandbox keeps anybody from it
        canary.chmod(0o644)
        server.bind(("127.0.0.1", 0))
        server.listen()
        local.bind("\0steelyard-" + secret)
        local.listen()
        yield {
            "port": server.getsockname()[1],
            "socket": "steelyard-" + secret,
            "file": str(canary),
            "content": secret,
            "home": str(home),
            "home_is": _identity(home),
            "pid": os.getpid(),
            "began": _began(),
            "environment": _environment(),
        }


def _identity(folder: Path) -> list[int]:
    try:
        seen = folder.stat()
    except OSError:
        return []  # there is none: nothing is like it
    return [seen.st_dev, seen.st_ino]


def _began() -> str:
    return Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19]


def _environment() -> list[str]:
    """Digests of the variables; what the sandbox sets itself, with whatever value, is not among them."""
    ours = {os.fsencode(name) for name in (*ENVIRONMENT, "PWD", "SHLVL", "_", "LC_ALL", "LC_CTYPE", "HOSTNAME")}
    pairs = (name + b"=" + value for name, value in os.environb.items() if name not in ours)
    return [hashlib.sha256(pair).hexdigest() for pair in pairs]
