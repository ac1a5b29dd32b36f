"""Opening a sandbox by name: it has passed its self-test before anybody gets it."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from typing import Any, Literal

from steelyard.errors import SpecError
from steelyard.sandbox.protocol import Sandbox
from steelyard.sandbox.selftest import self_test

Name = Literal["bubblewrap", "docker", "none"]
_lock = threading.Lock()
_default: dict[int, Sandbox] = {}  # by process: a fork must not share its parent's


def open_sandbox(name: str = "bubblewrap", **options: Any) -> Sandbox:
    """The sandbox of that name, after its self-test; there is no way down to a weaker one.

    "none" runs programs without any walls, and every result says so.
    """
    with contextlib.ExitStack() as undo:
        sandbox = _make(name, options)
        undo.callback(sandbox.close)
        if name != "none":
            self_test(sandbox)
        undo.pop_all()
    return sandbox


def _make(name: str, options: dict[str, Any]) -> Sandbox:
    if name == "bubblewrap":
        from steelyard.sandbox.bubblewrap import Bubblewrap

        return Bubblewrap(**options)
    if name == "docker":
        from steelyard.sandbox.docker import Docker

        return Docker(**options)
    if name == "none":
        from steelyard.sandbox.unsafe import Unsandboxed

        return Unsandboxed(**options)
    raise SpecError(f"there is no sandbox named {name!r}; there are bubblewrap and docker", path="sandbox")


def default_sandbox() -> Sandbox:
    """The one bubblewrap that this process shares, opened when it is first asked for and closed at the end."""
    with _lock:
        own = os.getpid()
        if own not in _default:
            _default[own] = open_sandbox()
            atexit.register(_default[own].close)
        return _default[own]
