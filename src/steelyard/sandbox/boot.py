"""What is sent into a fresh box: the modules that run there, with their settings."""

from __future__ import annotations

import base64
import functools
import json
import math
from collections.abc import Mapping
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
PRELOAD = (
    "bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "heapq",
    "itertools", "json", "math", "operator", "random", "re", "statistics", "string", "typing",
)  # fmt: skip


@functools.cache
def sources() -> dict[str, str]:
    """The modules of the package `inside` by name; the package itself has the empty one."""
    folder = files("steelyard.sandbox") / "inside"
    found = {}
    for file in folder.iterdir():
        if file.name.endswith(".py") and file.name != "boot.py":
            found[file.name.removesuffix(".py").replace("__init__", "")] = file.read_text(encoding="utf-8")
    return found


@functools.cache
def boot_source() -> str:
    """The program that a box begins with: ``python3 -c``."""
    return (files("steelyard.sandbox") / "inside" / "boot.py").read_text(encoding="utf-8")


def greeting(*, namespaces: bool, capabilities: bool, network: bool = False, counted: bool = True) -> bytes:
    """What `inside.boot` reads first; ``counted`` says whether a control group counts the memory."""
    settings = {
        "namespaces": namespaces,
        "capabilities": capabilities,
        "network": network,
        "preload": [*PRELOAD, "inside.function", "inside.tester"],
        "filter": base64.b64encode(filter_program(counted=counted)).decode(),
    }
    content = json.dumps({"sources": sources(), "settings": settings}).encode()
    return b"%08x" % len(content) + content


def job_frame(job: Job, limits: Limits, **more: Any) -> bytes:
    """The job as a box reads it; ``more`` is what only the backend knows."""
    coded: Mapping[str, str] = {name: base64.b64encode(data).decode() for name, data in job.files.items()}
    content = {
        "worker": job.worker,
        "argv": job.argv,
        "files": coded,
        "stdin": base64.b64encode(job.stdin).decode(),
        "env": {**ENVIRONMENT, **job.env},
        "collect": job.collect,
        "folder": "/box",
        "output_bytes": limits.output_bytes,
        "disk_mb": limits.disk_mb,
        "watch_memory": 0,
        "watch_pids": 0,
        **more,
        "rlimits": {
            "cpu": math.ceil(limits.wall_s) + 2,
            "fsize": limits.disk_mb << 20,
            **more.get("rlimits", {}),
        },
    }
    return json.dumps(content).encode()
