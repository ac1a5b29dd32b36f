"""What is sent into a fresh box: the modules that run there, with their settings."""

from __future__ import annotations

import functools
import marshal
import math
import sys
from importlib.resources import files
from typing import Any

from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.seccomp import filter_program

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/box",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # so that a verdict can be computed again
    "PYTHONDONTWRITEBYTECODE": "1",
}
# What candidates often import, with the worker that calls them; and what tests that are written as code need besides.
CALLS = (
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "json",
    "math",
    "operator",
    "random",
    "re",
    "statistics",
    "string",
    "typing",
    "inside.function",
    "inside.candidate",
    "inside.containers",
)
TESTS = ("inside.tester",)
_LATEST = 0.5  # seconds over the limit, which is measured outside, after which a box ends itself whether it is told to or not
_READABLE = 4  # the form of `marshal` that every Python which may be inside reads


@functools.cache
def modules(version: str) -> dict[str, str | bytes]:
    """The modules of the package `inside` by name, the package itself under the empty one.

    They go as code where the Python inside understands ours, which spares it the compiling, and else as source.
    """
    same = version.split(".")[:2] == [str(number) for number in sys.version_info[:2]]
    found: dict[str, str | bytes] = {}
    for file in (files("steelyard.sandbox") / "inside").iterdir():
        if not file.name.endswith(".py") or file.name == "boot.py":
            continue
        name, source = (
            file.name.removesuffix(".py").replace("__init__", ""),
            file.read_text(encoding="utf-8"),
        )
        found[name] = _compiled(name, source) if same else source
    return found


def _compiled(name: str, source: str) -> bytes:
    return marshal.dumps(compile(source, "inside." + name, "exec", dont_inherit=True))


@functools.cache
def boot_source() -> str:
    """The program that a box begins with: ``python3 -c``."""
    return (files("steelyard.sandbox") / "inside" / "boot.py").read_text(encoding="utf-8")


@functools.cache
def greeting(
    *,
    namespaces: bool,
    network: bool = False,
    counted: bool = True,
    version: str = "",
    path: tuple[str, ...] = (),
    preload: tuple[str, ...] = (*CALLS, *TESTS),
    filtered: bool = True,
    once: bool = False,
) -> bytes:
    """What `inside.boot` reads first; ``counted`` says whether a control group counts the memory, ``once`` that one job comes.

    ``path`` is where the interpreter finds modules, for one that is started without looking for that itself.
    """
    settings = {
        "namespaces": namespaces,
        "network": network,
        "once": once,
        "path": list(path),
        "preload": list(preload),
        "filter": filter_program(counted=counted) if filtered else b"",
    }
    content = marshal.dumps((modules(version), settings), _READABLE)
    return b"%08x" % len(content) + content


def job_frame(job: Job, limits: Limits, **more: Any) -> bytes:
    """The job as a box reads it; ``more`` is what only the backend knows."""
    content = {
        "worker": job.worker,
        "argv": list(job.argv),
        "files": dict(job.files),
        "stdin": job.stdin,
        "env": {**ENVIRONMENT, **job.env},
        "collect": list(job.collect),
        "folder": "/box",
        "most_s": limits.wall_s + _LATEST,
        "output_bytes": limits.output_bytes,
        "disk_mb": limits.disk_mb,
        "watch_memory": 0,
        "watch_pids": 0,
        "watch_sockets": 0,
        "tell_memory": False,
        **more,
        "rlimits": {
            "cpu": math.ceil(limits.wall_s) + 2,
            "fsize": limits.disk_mb << 20,
            **more.get("rlimits", {}),
        },
    }
    return marshal.dumps(content, _READABLE)
