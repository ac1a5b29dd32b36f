"""What the Python of a sandbox has: asked once of each sandbox, with nothing of a candidate's in the box."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from steelyard.errors import SandboxError
from steelyard.sandbox.inside import values
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

_LIMITS = Limits(memory_mb=2048)
_OFFERED = frozenset({"pytest"})  # there is a little of it in every box
_known: WeakKeyDictionary[Sandbox, dict[str, bool]] = WeakKeyDictionary()
_lock = threading.Lock()


def require(sandbox: Sandbox, modules: Iterable[str]) -> None:
    """A SandboxError that names the first module which the sandbox's Python does not have."""
    for module in modules:
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names or top in _OFFERED:
            continue
        if not _has(sandbox, module):
            raise SandboxError(
                f"the test needs the module {module!r}, which the sandbox's Python does not have"
            )


def _has(sandbox: Sandbox, module: str) -> bool:
    with _lock:
        known = _known.setdefault(sandbox, {})
    if module not in known:
        known[module] = _imports(sandbox, module)
    return known[module]


def _imports(sandbox: Sandbox, module: str) -> bool:
    box = sandbox.start(Job(worker="function"), _LIMITS)
    try:
        source = f"import {module}\ndef found(): ..."
        box.send(
            values.dumps({"load": {"source": source, "entry_point": "found", "alternatives": []}})
        )
        return b'"loaded"' in (box.receive() or b"")
    finally:
        box.stop()
