"""What is sent into a fresh box: the modules that run there, with their settings."""

from __future__ import annotations

import base64
import functools
import json
import marshal
import math
import sys
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
def modules(version: str) -> dict[str, dict[str, str]]:
    """The modules of the package `inside` by name, the package itself under the empty one.

    They go as code where the Python inside understands ours, which spares it the compiling, and else as source.
    """
    same = version.split(".")[:2] == [str(number) for number in sys.version_info[:2]]
    found = {}
    for file in (files("steelyard.sandbox") / "inside").iterdir():
        if not file.name.endswith(".py") or file.name == "boot.py":
            continue
        name, source = file.name.removesuffix(".py").replace("__init__", ""), file.read_text(encoding="utf-8")
        if same:
            code = marshal.dumps(compile(source, "inside." + name, "exec", dont_inherit=True))
            found[name] = {"code": base64.b64encode(code).decode()}
        else:
            found[name] = {"source": source}
    return found


@functools.cache
def boot_source() -> str:
    """The program that a box begins with: ``python3 -c``."""
    return (files("steelyard.sandbox") / "inside" / "boot.py").read_text(encoding="utf-8")


def greeting(
    *, namespaces: bool, capabilities: bool, network: bool = False, counted: bool = True, version: str = "",
    preload: bool = True, filtered: bool = True,
) -> bytes:  # fmt: skip
    """What `inside.boot` reads first; ``counted`` says whether a control group counts the memory."""
    settings = {
        "namespaces": namespaces,
        "capabilities": capabilities,
        "network": network,
        "preload": [*PRELOAD, "inside.function", "inside.tester"] if preload else [],
        "filter": base64.b64encode(filter_program(counted=counted)).decode() if filtered else "",
    }
    content = json.dumps({"modules": modules(version), "settings": settings}).encode()
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
