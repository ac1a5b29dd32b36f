"""Patterns mean the same on every supported Python.

`re` of 3.11.0 to 3.11.4 miscompiles some possessive quantifiers and atomic groups, so there are none.
"""

from __future__ import annotations

import json
import subprocess
import sys

LOOK = """
import importlib, json, pkgutil, re, sys
from re import _constants, _parser
import steelyard

AVOIDED = {_constants.POSSESSIVE_REPEAT, _constants.ATOMIC_GROUP}
compile_pattern, found = re.compile, {}

def codes(part):
    if isinstance(part, (list, tuple, _parser.SubPattern)):
        for inner in part:
            yield from codes(inner)
    else:
        yield part

def compiled(pattern, flags=0):
    caller = sys._getframe(1).f_globals["__name__"]
    if isinstance(pattern, (str, bytes)) and caller.startswith("steelyard"):
        found[repr(pattern)] = bool(AVOIDED.intersection(codes(_parser.parse(pattern, flags))))
    return compile_pattern(pattern, flags)

re.compile = compiled
for module in pkgutil.walk_packages(steelyard.__path__, "steelyard."):
    if not module.name.startswith(("steelyard.sandbox.inside", "steelyard.data", "steelyard.store.migrations")):
        importlib.import_module(module.name)
print(json.dumps(found))
"""


def test_no_pattern_is_possessive_or_atomic() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOK], capture_output=True, text=True, check=True, timeout=120
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) > 100
    assert [pattern for pattern, avoided in found.items() if avoided] == []
