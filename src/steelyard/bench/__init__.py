"""Benchmarks: problems, how they are asked, and how the answers become numbers."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what a type checker sees; at run time __getattr__ loads the same names
    from steelyard.bench.definition import Benchmark, Problem, benchmark, make_benchmark
    from steelyard.bench.load import Listed, list_benchmarks, load_benchmark

_HOMES = {
    "Benchmark": "definition",
    "Listed": "load",
    "Problem": "definition",
    "benchmark": "definition",
    "list_benchmarks": "load",
    "load_benchmark": "load",
    "make_benchmark": "definition",
}
__all__ = [
    "Benchmark",
    "Listed",
    "Problem",
    "benchmark",
    "list_benchmarks",
    "load_benchmark",
    "make_benchmark",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"steelyard.bench.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'steelyard.bench' has no attribute {name!r}")
