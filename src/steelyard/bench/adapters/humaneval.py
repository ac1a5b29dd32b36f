"""HumanEval as a benchmark: the beginning of a function is asked for, its test runs in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steelyard.bench.datasets import Dataset
from steelyard.bench.definition import Benchmark
from steelyard.bench.humaneval import find_data, load_problems
from steelyard.bench.manifest import load_manifest
from steelyard.bench.rows import Row

FOLDER = Path(__file__).parent.parent.parent / "data" / "benchmarks" / "published"


def load_humaneval(dataset: str | Path | None = None) -> Benchmark:
    """The tasks of the installed package, or of a file in its format."""
    path = Path(dataset) if dataset is not None else find_data()

    def read() -> Iterator[Row]:
        for place, problem in enumerate(load_problems(path).values(), start=1):
            columns: dict[str, Any] = {
                "id": problem.task_id,
                "_prompt": problem.prompt,
                "_test": problem.test,
                "entry_point": problem.entry_point,
            }
            yield Row(place, columns)

    return load_manifest(FOLDER / "humaneval", Dataset(str(path), read, unit="task"))
