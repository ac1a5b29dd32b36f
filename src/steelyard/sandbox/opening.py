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
_shared: dict[
    tuple[int, str, tuple[Any, ...]], Sandbox
] = {}  # by process too: a fork must not share its parent's


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
    raise SpecError(
        f"there is no sandbox named {name!r}; there are bubblewrap and docker", path="sandbox"
    )


def shared_sandbox(name: str = "bubblewrap", **options: Any) -> Sandbox:
    """The one sandbox of that name and options that this process shares: opened when first asked for, closed at its end."""
    with _lock:
        key = os.getpid(), name, tuple(sorted(options.items()))
        if key not in _shared:
            _shared[key] = open_sandbox(name, **options)
            atexit.register(_shared[key].close)
        return _shared[key]


def default_sandbox() -> Sandbox:
    """The bubblewrap that this process shares."""
    return shared_sandbox()
