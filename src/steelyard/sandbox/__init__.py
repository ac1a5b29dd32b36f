"""Running untrusted code: bubblewrap by default, Docker by choice, nothing by accident.

>>> from steelyard.sandbox import Job, Limits
>>> Job(argv=("sh", "program.sh"), files={"program.sh": b"echo 1"}).stdin
b''
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "Bubblewrap": "bubblewrap",
    "Docker": "docker",
    "Unsandboxed": "unsafe",
    "Box": "box",
    "Job": "job",
    "Outcome": "job",
    "Limits": "limits",
    "Sandbox": "protocol",
    "run": "protocol",
    "self_test": "selftest",
    "open_sandbox": "opening",
    "default_sandbox": "opening",
    "shared_sandbox": "opening",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"steelyard.sandbox.{_HOMES[name]}"), name)
