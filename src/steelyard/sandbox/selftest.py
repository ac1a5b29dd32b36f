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
from steelyard.sandbox.box import Box
from steelyard.sandbox.identity import began
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

_ENTRY = "try_everything"


class Probe(msgspec.Struct, frozen=True):
    """One thing that was tried from inside: whether the wall held, what it means if not, and what would mend it."""

    name: str
    held: bool
    means: str
    remedy: str


def self_test(sandbox: Sandbox, limits: Limits | None = None) -> list[Probe]:
    """What was tried, all of it in vain; a SandboxError names whatever was possible."""
    with _outside() as told:
        box = sandbox.start(Job(worker="function"), limits or Limits())
        try:
            answer = _ask(box, told)
        finally:
            box.finish()
    probes = _read(answer, sandbox.name)
    broken = [f"{probe.means} ({probe.remedy})" for probe in probes if not probe.held]
    if broken:
        raise SandboxError(f"the sandbox {sandbox.name} does not hold: {'; '.join(broken)}")
    return probes


def _ask(box: Box, told: dict[str, Any]) -> object:
    """Loads the program as a candidate's function would be, calls it, and gives what the worker says."""
    for message in (
        {"load": {"source": _program(), "entry_point": _ENTRY, "alternatives": []}},
        {"call": 1, "name": _ENTRY, "args": [json.dumps(told)], "kwargs": {}},
    ):
        box.send(json.dumps(message).encode())
        answer = json.loads(box.receive() or b"null")
        if not isinstance(answer, dict) or "failed" in answer:
            return answer
    return answer.get("value")


@cache
def _program() -> str:
    return (files("steelyard.sandbox") / "probe.py").read_text(encoding="utf-8")


@cache
def _walls() -> dict[str, tuple[str, str]]:
    content = (files("steelyard") / "data" / "sandbox_walls.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, tuple[str, str]])


def _read(answer: object, name: str) -> list[Probe]:
    """What the program says; one that did not try everything has shown nothing."""
    try:
        through = msgspec.json.decode(
            answer if isinstance(answer, str) else b"", type=dict[str, bool]
        )
    except msgspec.DecodeError:
        raise SandboxError(
            f"the self-test did not run in the sandbox {name}: {_why(answer)}"
        ) from None
    if through.keys() != _walls().keys():
        raise SandboxError(f"the self-test of the sandbox {name} did not try everything")
    return [Probe(wall, not through[wall], *texts) for wall, texts in _walls().items()]


def _why(answer: object) -> str:
    failed = answer.get("failed") if isinstance(answer, dict) else None
    return (
        f"{failed.get('type')}: {failed.get('text')}"
        if isinstance(failed, dict)
        else "it gave no answer"
    )


@contextlib.contextmanager
def _outside() -> Iterator[dict[str, Any]]:
    """What is there to be reached, for as long as the test takes."""
    home = Path.home()
    secret = secrets.token_hex(16)
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.socket() as server,
        socket.socket(socket.AF_UNIX) as local,
    ):
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
            "began": str(began(os.getpid())),
            "environment": _environment(),
        }


def _identity(folder: Path) -> list[int]:
    try:
        seen = folder.stat()
    except OSError:
        return []  # there is none: nothing is like it
    return [seen.st_dev, seen.st_ino]


def _environment() -> list[str]:
    """Digests of the variables; what the sandbox sets itself, with whatever value, is not among them."""
    ours = {
        os.fsencode(name)
        for name in (*ENVIRONMENT, "PWD", "SHLVL", "_", "LC_ALL", "LC_CTYPE", "HOSTNAME")
    }
    pairs = (name + b"=" + value for name, value in os.environb.items() if name not in ours)
    return [hashlib.sha256(pair).hexdigest() for pair in pairs]
