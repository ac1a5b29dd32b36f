"""Whether the numbers of two runs can be compared: what shapes them must be the same, but for the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from steelyard.errors import DataError
from steelyard.registry import nearest
from steelyard.runs.changes import Change, changes
from steelyard.runs.run_file import RunFile

# The model and how it was asked to work is what is compared.
COMPARED = ("model", "parameters", "seed")
EVERYTHING = "all"
# A policy for many benchmarks may name what only some of them have.
USUAL = (
    "engine",
    "benchmark.dataset",
    "benchmark.prompt",
    "benchmark.scorer",
    "benchmark.code",
    "judge",
    "system_prompt",
    "problems",
)


def shaping(about: RunFile) -> dict[str, Any]:
    """What must be the same in two runs that are compared."""
    kept = {key: value for key, value in about.shapes.items() if key not in COMPARED}
    return {**kept, "problems": about.problems}


def differing(base: RunFile, candidate: RunFile) -> list[Change]:
    """What shapes the numbers of two runs and is not the same."""
    return changes(shaping(base), shaping(candidate))


def is_allowed(path: str, allow: Sequence[str]) -> bool:
    """Whether one of the names is ``all``, the path, a part of it, or what it lies under.

    >>> is_allowed("benchmark.scorer.version", ["scorer"]), is_allowed("benchmark.prompt", ["system_prompt"])
    (True, False)
    """
    parts = path.split(".")
    spans = {
        ".".join(parts[first:last])
        for first in range(len(parts))
        for last in range(first + 1, len(parts) + 1)
    }
    return any(name == EVERYTHING or name in spans for name in allow)


def allowed_changes(
    base: RunFile, candidate: RunFile, allow: Sequence[str], *, way: str = "option"
) -> list[Change]:
    """What differs and was allowed to; a DataError tells what was not, and the ``way`` to allow it: option, policy or none."""
    paths = [*USUAL, *_paths(shaping(base)), *_paths(shaping(candidate))]
    for name in allow:
        if name != EVERYTHING and not any(is_allowed(path, [name]) for path in paths):
            known = sorted({part for path in paths for part in path.split(".")})
            raise DataError(
                f"nothing that shapes a number is called {name!r}{nearest(name, known)}"
            )
    found = differing(base, candidate)
    refused = [change for change in found if not is_allowed(change.path, allow)]
    if refused:
        told = "\n".join(f"  {change}" for change in refused)
        hint = _hint(list(dict.fromkeys(change.path for change in refused)), way)
        raise DataError(
            f"{base.benchmark}: the numbers of {_sides(base.model, candidate.model)} cannot be compared, "
            f"for what shapes them differs:\n{told}{hint}"
        )
    return found


def _sides(base: str, candidate: str) -> str:
    return f"two runs of {base}" if base == candidate else f"{base} and {candidate}"


def _hint(paths: Sequence[str], way: str) -> str:
    if way == "policy":
        listed = ", ".join(f'"{path}"' for path in paths)
        return f"\nto hold them against each other all the same: allow = [{listed}] in the policy"
    names = " ".join(f"--allow {path}" for path in paths)
    return f"\nto compare them all the same: {names}" if way == "option" else ""


def _paths(value: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for key, inner in value.items():
        yield f"{before}{key}"
        if isinstance(inner, Mapping):
            yield from _paths(inner, f"{before}{key}.")
