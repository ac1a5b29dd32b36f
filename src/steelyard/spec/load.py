"""Loading a spec: everything that is wrong with it is told at once, before anything is scored."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.primitives.constraints import read_constraints
from steelyard.primitives.values import describe
from steelyard.registry import nearest
from steelyard.spec.core import (
    MAX_DIMENSIONS,
    MIN_DIMENSIONS,
    check_weights,
    count_message,
)
from steelyard.spec.dimension import Reader
from steelyard.spec.field import MISSING
from steelyard.spec.files import inline_files
from steelyard.spec.format import read_checks
from steelyard.spec.model import ENCODER, Dimension, Spec
from steelyard.spec.problems import Problems
from steelyard.spec.reading import plain, read_file

KEYS = (
    "type",
    "profile",
    "name",
    "description",
    "version",
    "dimensions",
    "constraints",
    "format",
    "unclear",
    "empty_truth",
    "$schema",
)
TYPES = ("deterministic", "test-suite", "custom-script", "judged")
PROFILES = ("standard", "free")
UNCLEAR = ("judge", "zero")
# What a dimension of such a spec has to read, and the scorer that does.
_NEEDED = {"test-suite": ("program", "tests"), "custom-script": ("submission", "script")}
EMPTY_TRUTH = ("error", "allow")
# The primitives that count the items of an array in the ground truth.
COUNTING = ("set_overlap", "coverage_ratio", "exact_match_ratio")
MAX_FREE = 10_000
# A spec that is over the limit by this much is not read to its end.
_HOPELESS = 1_000
# Looking for near names takes long among many; the first few say what went wrong.
_HINTS = 5
_SHOWN = 6  # names of a circle


def load_spec(source: Spec | Mapping[str, Any] | str | Path) -> Spec:
    """The spec in a file or a dict; a SpecError tells everything that is wrong with it, with paths.

    A reference solution is a second notation for a spec.

    >>> spec = load_spec({"dimensions": [
    ...     {"name": "accuracy", "weight": 0.8, "primitive": "exact_match", "field": "answer"},
    ...     {"name": "speed", "weight": 0.2, "primitive": "time_decay", "time_limit_secs": 300}]})
    >>> [dimension.name for dimension in spec.dimensions]
    ['accuracy', 'speed']
    """
    if isinstance(source, Spec):
        return source
    if isinstance(source, (str, Path)):
        return _load(read_file(source), Problems(str(source)), Path(source).parent)
    return _load(source, Problems())


def _load(given: object, problems: Problems, folder: Path | None = None) -> Spec:
    if not isinstance(given, Mapping):
        problems.add("", f"a spec is an object, not {describe(given)}")
        raise problems.error()
    if "dimensions" not in given and ("answer" in given or "reference_solution" in given):
        from steelyard.spec.from_reference import compile_reference

        return compile_reference(given, problems)
    _refuse_hopeless(given, problems)
    raw: dict[str, Any] = plain(given, problems)
    inline_files(raw, folder, problems)
    # What is not JSON has become null; reading on must not tell such a fault twice.
    problems.settle()
    _check_top(raw, problems)
    limits = _limits(raw, problems)
    dimensions = _dimensions(raw, limits, problems)
    checks = read_checks(raw.get("format", []), problems)
    order = dependency_order(raw.get("dimensions"), problems)
    problems.tell()
    return Spec(
        type=raw.get("type", "deterministic"),
        profile=raw.get("profile", "standard"),
        name=raw.get("name", ""),
        description=raw.get("description", ""),
        dimensions=tuple(dimensions),
        order=tuple(order),
        constraints=MappingProxyType(limits),
        checks=checks,
        source=ENCODER.encode(raw),
        unclear=raw.get("unclear", "zero"),
        empty_truth=raw.get("empty_truth", "error"),
    )


def _refuse_hopeless(given: Mapping[str, Any], problems: Problems) -> None:
    entries = given.get("dimensions")
    if not isinstance(entries, (list, tuple)):
        return
    free = given.get("profile") == "free"
    if len(entries) > (MAX_FREE if free else _HOPELESS):
        problems.add("dimensions", _count_message(len(entries), free))
        raise problems.error()


def _count_message(count: int, free: bool) -> str:
    if free:
        return f"must be 1 to {MAX_FREE} dimensions, not {count}"
    return f'{count_message(count)}; a spec with "profile": "free" may have 1 to {MAX_FREE}'


def _check_top(raw: dict[str, Any], problems: Problems) -> None:
    for key in raw:
        if key not in KEYS:
            problems.add(key, f"is not known in a spec{nearest(key, KEYS)}")
    known = {
        "type": TYPES,
        "profile": PROFILES,
        "unclear": UNCLEAR,
        "empty_truth": EMPTY_TRUTH,
    }
    for key, allowed in known.items():
        if key in raw and raw[key] not in allowed:
            hint = nearest(raw[key], allowed) or f"; there are {', '.join(allowed)}"
            problems.add(key, f"cannot be {describe(raw[key])}{hint}")
    if raw.get("unclear") == "judge" and raw.get("type") != "judged":
        kind = raw.get("type", "deterministic")
        problems.add("unclear", f"asks a judge, and a spec of type {kind!r} promises that none is")
    for key in ("name", "description", "$schema"):
        if key in raw and not isinstance(raw[key], str):
            problems.add(key, f"must be a string, not {describe(raw[key])}")


def _limits(raw: dict[str, Any], problems: Problems) -> dict[str, Any]:
    try:
        return read_constraints(raw.get("constraints"))
    except SpecError as wrong:
        problems.add_all(wrong, "constraints")
        return {}


def _dimensions(raw: dict[str, Any], limits: dict[str, Any], problems: Problems) -> list[Dimension]:
    entries = raw.get("dimensions")
    if not isinstance(entries, list):
        given = describe(entries) if "dimensions" in raw else "missing"
        problems.add("dimensions", f"must be an array, not {given}")
        return []
    free = raw.get("profile") == "free"
    if not entries or (not free and not MIN_DIMENSIONS <= len(entries) <= MAX_DIMENSIONS):
        problems.add(
            "dimensions", "must not be empty" if free else _count_message(len(entries), free)
        )
    reader = Reader(str(raw.get("type", "deterministic")), limits, problems)
    found = [reader.read(entry, f"dimensions[{i}]") for i, entry in enumerate(entries)]
    weights = [
        (f"dimensions[{i}].weight", entry.get("weight", MISSING))
        for i, entry in enumerate(entries)
        if isinstance(entry, dict)
    ]
    check_weights(weights, "dimensions" if len(weights) == len(entries) > 0 else None, problems)
    _check_names(entries, problems)
    if len(found) == len(entries) and None not in found:
        _check_type(str(raw.get("type")), found, problems)
    allowed = COUNTING if raw.get("empty_truth") == "allow" else ()
    return [
        msgspec.structs.replace(dimension, empty_truth=True)
        if dimension.kind == "primitive" and dimension.uses in allowed
        else dimension
        for dimension in found
        if dimension is not None
    ]


def _check_type(spec_type: str, found: list[Dimension | None], problems: Problems) -> None:
    """A spec of tests has a dimension that runs some, and one of a script has a script."""
    reads, scorer = _NEEDED.get(spec_type, ("", ""))
    if reads and not any(dimension is not None and dimension.reads == reads for dimension in found):
        problems.add(
            "type", f"a spec of type {spec_type!r} needs a dimension with the scorer {scorer!r}"
        )


def _check_names(entries: list[Any], problems: Problems) -> None:
    first: dict[str, int] = {}
    named = [(i, entry) for i, entry in enumerate(entries) if isinstance(entry, dict)]
    for i, entry in named:
        name = entry.get("name")
        if isinstance(name, str) and first.setdefault(name, i) != i:
            problems.add(
                f"dimensions[{i}].name", f"{describe(name)} is dimensions[{first[name]}]'s name too"
            )
    hints = _HINTS
    for i, entry in named:
        requires = entry.get("requires")
        for name in requires if isinstance(requires, dict) else ():
            if name not in first:
                hint = nearest(name, first) if hints > 0 else ""
                hints -= 1
                problems.add(f"dimensions[{i}].requires.{name}", f"is not a dimension{hint}")


def dependency_order(entries: object, problems: Problems) -> list[int]:
    """The positions in an order in which every dimension follows those that it requires; the rest of them is not looked at."""
    listed = entries if isinstance(entries, list) else []
    requires = [_names_in(entry, "requires") for entry in listed]
    place = {name: i for i in reversed(range(len(listed))) for name in _names_in(listed[i], "name")}
    before = [{place[name] for name in names if name in place} for names in requires]
    waiting = [len(places) for places in before]
    followers: dict[int, list[int]] = {}
    for i, places in enumerate(before):
        for other in places:
            followers.setdefault(other, []).append(i)
    ready = [i for i, count in enumerate(waiting) if count == 0]
    order: list[int] = []
    while ready:
        order.append(heapq.heappop(ready))
        for follower in followers.get(order[-1], ()):
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heapq.heappush(ready, follower)
    for circle in _circles(before, {i for i, count in enumerate(waiting) if count > 0}):
        names = [describe(listed[i].get("name")) for i in circle[:_SHOWN]]
        round_again = [*names, "…"] if len(circle) > _SHOWN else [*names, names[0]]
        problems.add(
            f"dimensions[{circle[0]}].requires",
            f"the gates go round in a circle: {' → '.join(round_again)}",
        )
    return order


def _circles(before: list[set[int]], stuck: set[int]) -> Iterator[list[int]]:
    """The circles among dimensions that wait for each other, each from its first one on; others only hang on a circle.

    Circles that share no dimension are each found.
    """
    left = set(stuck)
    while left := _waiting(before, left):
        trail: dict[int, None] = {}
        at = min(left)
        while at not in trail:
            trail[at] = None
            at = min(before[at] & left)
        circle = list(trail)[list(trail).index(at) :]
        first = circle.index(min(circle))
        yield circle[first:] + circle[:first]
        left -= set(circle)


def _waiting(before: list[set[int]], left: set[int]) -> set[int]:
    """Those that still wait for one of the others, when all that need not wait are gone."""
    counts = {i: len(before[i] & left) for i in left}
    followers: dict[int, list[int]] = {}
    for i in left:
        for other in before[i] & left:
            followers.setdefault(other, []).append(i)
    free = [i for i, count in counts.items() if count == 0]
    while free:
        for follower in followers.get(free.pop(), ()):
            counts[follower] -= 1
            if counts[follower] == 0:
                free.append(follower)
    return {i for i, count in counts.items() if count}


def _names_in(entry: object, key: str) -> list[str]:
    """The names that a dimension has under a key: its own, or those of its gates."""
    found = entry.get(key) if isinstance(entry, dict) else None
    return (
        [found]
        if isinstance(found, str) and key == "name"
        else list(found)
        if isinstance(found, dict)
        else []
    )
