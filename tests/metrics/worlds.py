"""The worlds of the benchmark, for the tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "benchmarks" / "gate_worlds.py"


def load() -> Any:
    """The module, which is no part of the package."""
    spec = importlib.util.spec_from_file_location("gate_worlds", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gate_worlds"] = module
    spec.loader.exec_module(module)
    return module
