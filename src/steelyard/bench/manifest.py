"""A folder as a benchmark: ``benchmark.toml`` says what it is, the rows stand beside it."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

from steelyard.bench.conversation import Conversation
from steelyard.bench.datasets import open_dataset
from steelyard.bench.definition import Benchmark, make_benchmark
from steelyard.bench.scorers import spec_scorer
from steelyard.errors import DataError, Problem, SpecError
from steelyard.registry import nearest

FILE = "benchmark.toml"
_TEXT = (
    "name",
    "description",
    "dataset",
    "prompt",
    "messages",
    "system_prompt",
    "target_field",
    "id_field",
    "category_field",
    "cluster_field",
    "scorer",
    "spec",
    "licence",
)
_TABLES = ("params", "field_map", "judge")
_PASSED = (
    "description",
    "licence",
    "system_prompt",
    "target_field",
    "id_field",
    "category_field",
    "cluster_field",
    "repeats",
    "params",
    "field_map",
    "judge",
)


def load_manifest(folder: Path, dataset: Any = None) -> Benchmark:
    """The benchmark of a folder; every problem of its manifest is told at once, with the file."""
    file = folder / FILE
    given = read_manifest(file, needed=("name", "dataset") if dataset is None else ("name",))
    try:
        prompt = Conversation(given["messages"]) if "messages" in given else given["prompt"]
        scorer = spec_scorer(folder / given["spec"]) if "spec" in given else given["scorer"]
        rest = {key: given[key] for key in _PASSED if key in given}
        code = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
        # Rows that a caller names are looked for from where the caller is.
        rows = given["dataset"] if dataset is None else open_dataset(dataset, Path())
        return make_benchmark(given["name"], rows, prompt, scorer, base=folder, code=code, **rest)
    except SpecError as wrong:
        raise SpecError(
            problems=[Problem(_at(file, path), message) for path, message in wrong.problems]
        ) from None


def read_manifest(file: Path, needed: tuple[str, ...] = ("name",)) -> dict[str, Any]:
    """What the manifest says; a SpecError names each key that is unknown, missing or of the wrong kind."""
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise DataError(f"cannot be read: {wrong.strerror}", file=str(file)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise DataError(f"not TOML: {wrong}", file=str(file)) from None
    known = (*_TEXT, *_TABLES, "repeats")
    problems = [
        Problem(_at(file, key), f"is not known{nearest(key, known)}")
        for key in given
        if key not in known
    ]
    problems += [Problem(_at(file, key), "is missing") for key in needed if key not in given]
    problems += [
        Problem(_at(file, key), "must be text")
        for key in _TEXT
        if not isinstance(given.get(key, ""), str)
    ]
    problems += [
        Problem(_at(file, key), "must be a table")
        for key in _TABLES
        if not isinstance(given.get(key, {}), dict)
    ]
    for one, other in (("prompt", "messages"), ("scorer", "spec")):
        if (one in given) == (other in given):
            problems.append(Problem(_at(file, one), f"either this or {other!r} has to be there"))
    if problems:
        raise SpecError(problems=problems)
    return given


def _at(file: Path, key: str) -> str:
    return f"{file}: {key}" if key else str(file)
