"""Submissions that lint tries: the ground truth itself, and ones that hold nothing right."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Mapping
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.primitives.values import array, keys_of
from steelyard.spec.evaluator import compare
from steelyard.spec.field import MISSING, find
from steelyard.spec.guesses import (
    Tried,
    Users,
    attempt,
    constants,
    earned,
    empty_values,
    says_nothing,
    uniform,
    uses,
    words,
    wrong,
)
from steelyard.spec.model import Dimension, Spec

_ITEMS = 10
# Whoever names everything names this many wrong things for each right one.
_JUNK, _MAX_JUNK = 9, 100_000
# How many lists are tried for each field, and how many items for all fields together.
_LISTS, _WORK = 5, 5_000_000
_KINDS = ("nulls", "blank", "wrong", "opening", "all", "constant", "named")


class Probes(msgspec.Struct, frozen=True, kw_only=True):
    """What is tried, by name: without content, by a constant guess, and by naming all that could be found.

    ``best`` has the highest value that each dimension gives for something without content, before gates.
    """

    empty: dict[str, dict[str, Any]]
    constant: dict[str, Any]
    named: dict[str, Any]
    best: dict[str, float]


def make_truth(spec: Spec) -> tuple[dict[str, Any], list[str]]:
    """A ground truth that could belong to the spec, and the names of dimensions for which none was found."""
    groups: dict[str, list[Dimension]] = {}
    for dimension in spec.dimensions:
        if dimension.ground_truth_field:
            groups.setdefault(dimension.ground_truth_field, []).append(dimension)
    tried = attempted(spec)
    truth: dict[str, Any] = {}
    lost: list[str] = []
    for field, users in groups.items():
        values = (*_shared(field, users, tried), *_plausible(field))
        truth[field] = next((v for v in values if all(_fits(d, v) for d in users)), MISSING)
        if truth[field] is MISSING:
            truth[field] = words()["texts"][0].format(field=field)
            lost += [d.name for d in users]
    # Nobody but the author knows what a script reads.
    return truth, lost + [d.name for d in spec.dimensions if d.reads == "submission"]


def _shared(field: str, users: list[Dimension], tried: frozenset[str]) -> Iterator[Any]:
    """What is found is among what can be attempted, so that naming all of that is seen to pay."""
    universe = [f"item {i}" for i in range(1, _ITEMS + 1)]
    if field in tried:
        yield universe
    elif tried and all(uses(d, "set_overlap") for d in users):
        yield universe[1::3]


def _plausible(field: str) -> Iterator[Any]:
    texts = [text.format(field=field) for text in words()["texts"]]
    yield texts[0]
    yield [f"{field} {i}" for i in range(1, _ITEMS + 1)]
    yield [1000 + 37 * i for i in range(_ITEMS)]
    yield 1234
    yield from texts[1:]
    yield True
    yield {"value": texts[0]}


def _fits(dimension: Dimension, value: object) -> bool:
    try:
        return compare(dimension, value, value).value in {1, None}
    except SpecError:
        return False


def with_own_truth(spec: Spec) -> Spec:
    """A spec that knows its answers, as one that compares each field with the same field of a ground truth."""
    compared = tuple(msgspec.structs.replace(d, ground_truth_field=d.field) for d in spec.dimensions)
    return msgspec.structs.replace(spec, dimensions=compared)


def attempted(spec: Spec) -> frozenset[str]:
    """The fields of the truth that list what can be attempted: ids that are handed out with the questions.

    A coverage dimension counts them. But a field that answers are compared with holds the answers; and so
    does one that is also compared as a set, where the spec has no other answers to compare.
    """
    counted = {d.ground_truth_field for d in spec.dimensions if uses(d, "coverage_ratio")}
    others = [d for d in spec.dimensions if d.ground_truth_field and not uses(d, "coverage_ratio")]
    answers = {d.ground_truth_field for d in others if not uses(d, "set_overlap")}
    if not any(d.ground_truth_field not in counted for d in others):
        answers |= {d.ground_truth_field for d in others}
    return frozenset(field for field in counted - answers if field)


def right_submission(spec: Spec, truth: Mapping[str, Any]) -> dict[str, Any]:
    """The ground truth handed in as the answer."""
    answers = {d.field: _right(spec, d, truth) for d in reversed(spec.dimensions) if d.field}
    return _fill({field: value for field, value in answers.items() if value is not MISSING})


def solution_of(spec: Spec, field: str) -> Any:
    """The program that should pass all tests of a field, if one of its dimensions brings it, else MISSING."""
    given = [d.params["solution"] for d in spec.dimensions if d.field == field and "solution" in d.params]
    return given[0] if given else MISSING


def _right(spec: Spec, dimension: Dimension, truth: Mapping[str, Any]) -> Any:
    """What earns full marks in a dimension; a suite of tests is no program, so a solution has to be given."""
    if dimension.reads == "program":
        return solution_of(spec, str(dimension.field))
    found = find(truth, dimension.ground_truth_field or str(dimension.field))
    # Of several correct answers to a question for text, one is right.
    return found[0] if dimension.of_text and isinstance(found, list) and found else found


def make_probes(spec: Spec, truth: Mapping[str, Any]) -> Probes:
    """All that is tried against a truth."""
    fields = _by_field(spec, truth)
    lists, pool = _universes(spec, truth), _pool(truth, _WORK // max(len(fields), 1))
    best = dict.fromkeys((d.name for d in spec.dimensions), 0.0)
    gates = {name for d in spec.dimensions for name in d.requires}
    picks = _unread(spec, truth)
    for field, users in fields.items():
        tried: list[Tried] = [(MISSING, [0.0] * len(users)), *attempt(users, empty_values(users))]
        listed = [(value, earned(users, value)) for value in (*lists, *_elsewhere(users, pool))]
        _keep_best(users, tried + listed, best)
        picks["nulls"][field] = None
        picks["blank"][field] = _pick(users, [one for one in tried if says_nothing(one[0])])
        picks["wrong"][field] = _pick(users, tried)
        picks["opening"][field] = _pick(users, tried, gates)
        picks["all"][field] = _pick(users, tried + listed)
        same = [(value, earned(users, value)) for value in uniform(users)]
        picks["constant"][field] = _pick(users, [*tried, *listed, *same, *attempt(users, constants(users))])
        named = [(value, earned(users, value)) for value in _everything(users)]
        picks["named"][field] = _pick(users, tried + listed + named)
    return Probes(
        empty={"empty": {}, "all null": _fill(picks["nulls"]), "nulls and blanks": _fill(picks["blank"]),
               "wrong content": _fill(picks["wrong"]), "wrong content that opens gates": _fill(picks["opening"]),
               "everything attempted at once": _fill(picks["all"])},
        constant=_fill(picks["constant"]), named=_fill(picks["named"]), best=best,
    )  # fmt: skip


def _unread(spec: Spec, truth: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What is handed in besides the fields that dimensions name: a script may read whatever the truth has."""
    picks: dict[str, dict[str, Any]] = {name: {} for name in _KINDS}
    if any(d.reads == "submission" for d in spec.dimensions):
        picks["nulls"], picks["blank"] = dict.fromkeys(truth), dict.fromkeys(truth)
        for name in ("wrong", "opening", "all"):
            picks[name] = {field: next(wrong(value, 0)) for field, value in truth.items()}
    return picks


def _by_field(spec: Spec, truth: Mapping[str, Any]) -> dict[str, Users]:
    fields: dict[str, Users] = {}
    for d in spec.dimensions:
        if d.field:
            want = find(truth, d.ground_truth_field) if d.ground_truth_field else MISSING
            fields.setdefault(d.field, []).append((d, want))
    return fields


def _pick(users: Users, tried: list[Tried], gates: Container[str] = ()) -> Any:
    """The value that earns most, before gates; most of all where other dimensions require it."""
    weights = [float(d.weight) + (d.name in gates) for d, _ in users]

    def total(one: Tried) -> float:
        return sum(weight * each for weight, each in zip(weights, one[1], strict=True))

    return max(tried, key=total)[0]


def _keep_best(users: Users, tried: list[Tried], best: dict[str, float]) -> None:
    for _, points in tried:
        for (dimension, _), each in zip(users, points, strict=True):
            best[dimension.name] = max(best[dimension.name], each)


def _universes(spec: Spec, truth: Mapping[str, Any]) -> list[list[Any]]:
    """The lists that a solver can name without solving anything; of very many, a few."""
    found: dict[Hashable, list[Any]] = {}
    for field in sorted(attempted(spec)):
        items = array(find(truth, field))
        if items and len(found) < _LISTS:
            found.setdefault(tuple(keys_of(items)), items)
    return list(found.values())


def _pool(truth: Mapping[str, Any], size: int) -> dict[Hashable, tuple[Any, set[str]]]:
    """The distinct items that occur in the truth's arrays, each with the fields that hold it."""
    pool: dict[Hashable, tuple[Any, set[str]]] = {}
    for field, value in truth.items():
        items = array(value) or []
        for item, known in zip(items, keys_of(items), strict=True):
            if known in pool or len(pool) < size:
                pool.setdefault(known, (item, set()))[1].add(field)
    return pool


def _elsewhere(users: Users, pool: Mapping[Hashable, tuple[Any, set[str]]]) -> Iterator[list[Any]]:
    """For what is compared as a set: all that occurs in the other fields of the truth."""
    sets = {d.ground_truth_field for d, _ in users if uses(d, "set_overlap", "coverage_ratio")}
    if sets and (items := [item for item, fields in pool.values() if not fields <= sets]):
        yield items


def _everything(users: Users) -> Iterator[list[Any]]:
    """Where extra items cost nothing: the right ones among many more."""
    for dimension, want in users:
        items = array(want)
        if items and (uses(dimension, "coverage_ratio") or _is_intersection(dimension)):
            taken = set(keys_of(items))
            junk = [f"item {i} of everything" for i in range(min(_JUNK * len(items), _MAX_JUNK))]
            yield [*(item for item in junk if item not in taken), *items]


def _is_intersection(dimension: Dimension) -> bool:
    return uses(dimension, "set_overlap") and dimension.params.get("method") == "intersection"


def _fill(values: Mapping[Any, Any]) -> dict[str, Any]:
    """A submission with these fields; a dotted field becomes nested objects where it can."""
    submission: dict[str, Any] = {}
    for field, value in values.items():
        if value is MISSING:
            continue
        *parents, last = str(field).split(".")
        place: Any = submission
        for name in parents:
            place = place.setdefault(name, {}) if isinstance(place, dict) else None
        if isinstance(place, dict):
            place[last] = value
        else:
            submission[field] = value
    return submission
