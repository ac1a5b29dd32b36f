"""Submissions that lint tries: the ground truth itself, and ones that hold nothing right."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Mapping
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.primitives.values import array, keys_of
from steelyard.spec.evaluator import compare
from steelyard.spec.field import MISSING, find, nested
from steelyard.spec.guesses import (
    Tried,
    User,
    Users,
    constants,
    empty_values,
    same_everywhere,
    says_nothing,
    uniform,
    unrelated,
    uses,
    words,
    wrong,
)
from steelyard.spec.model import ENCODER, Dimension, Spec
from steelyard.spec.trial import Trial

_ITEMS = 10
# Whoever names everything names this many wrong things for each right one.
_JUNK, _MAX_JUNK = 9, 100_000
# How many lists are tried for each field, and how many items for all fields together.
_LISTS, _WORK = 5, 5_000_000
_KINDS = ("nulls", "blank", "wrong", "opening", "all", "both", "constant", "named")


class Probes(msgspec.Struct, frozen=True, kw_only=True):
    """What is tried, by name: without content, by a constant guess, and by naming all that could be found.

    ``best`` has the highest value that each dimension gives for something without content, before gates; ``cut`` names the
    fields for which there was more to try than there is time for.
    """

    empty: dict[str, dict[str, Any]]
    constant: list[dict[str, Any]]
    named: dict[str, Any]
    best: dict[str, float]
    cut: tuple[str, ...] = ()


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
        score = compare(dimension, value, value)
    except SpecError:
        return False
    return score.value == 1 or score.pending


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
    return nested({field: value for field, value in answers.items() if value is not MISSING})


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
    fields = users_by_field(spec, truth)
    lists, pool = _universes(spec, truth), _pool(truth, _WORK // max(len(fields), 1))
    best = dict.fromkeys((d.name for d in spec.dimensions), 0.0)
    gates = {name for d in spec.dimensions for name in d.requires}
    picks, cut = _unread(spec, truth), list[str]()
    for field, users in fields.items():
        trial = Trial(field, users, spec.checks)
        tried = [(MISSING, [0.0] * len(users)), *trial.of(unrelated(users)), *trial.without_answers(empty_values(users))]
        listed = trial.of((*lists, *_elsewhere(users, pool)))
        _keep_best(users, tried + listed, best)
        picks["nulls"][field] = None
        picks["blank"][field] = _pick(users, [one for one in tried if says_nothing(one[0])])
        picks["wrong"][field] = _pick(users, tried)
        picks["opening"][field] = _pick(users, tried, gates)
        picks["all"][field] = _pick(users, tried + listed)
        picks["both"][field] = _pick(users, tried + listed, gates)
        same = [*trial.of(uniform(users)), *trial.without_answers(constants(users))]
        picks["constant"][field] = _pick(users, tried + listed + same)
        picks["named"][field] = _pick(users, tried + listed + trial.of(_everything(users)))
        cut += [field] * trial.cut
    return Probes(
        empty={"empty": {}, "all null": nested(picks["nulls"]), "nulls and blanks": nested(picks["blank"]),
               "wrong content": nested(picks["wrong"]), "wrong content that opens gates": nested(picks["opening"]),
               "everything attempted at once": nested(picks["all"]),
               "everything attempted that opens gates": nested(picks["both"])},
        constant=[nested(picks["constant"] | guess) for guess in ({}, *same_everywhere(fields))],
        named=nested(picks["named"]), best=best, cut=tuple(cut),
    )  # fmt: skip


def _unread(spec: Spec, truth: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What is handed in besides the fields that dimensions name: a script may read whatever the truth has."""
    picks: dict[str, dict[str, Any]] = {name: {} for name in _KINDS}
    if any(d.reads == "submission" for d in spec.dimensions):
        picks["nulls"], picks["blank"] = dict.fromkeys(truth), dict.fromkeys(truth)
        for name in ("wrong", "opening", "all", "both"):
            picks[name] = {field: next(wrong(value, 0)) for field, value in truth.items()}
    return picks


def users_by_field(spec: Spec, truth: Mapping[str, Any]) -> dict[str, Users]:
    """The dimensions over each field; those that score it alike are one, and are asked once."""
    fields: dict[str, dict[Hashable, list[Dimension]]] = {}
    for d in spec.dimensions:
        if d.field:
            told = ENCODER.encode(dict(d.params)) if d.params else b""
            fields.setdefault(d.field, {}).setdefault((d.kind, d.uses, d.ground_truth_field, told), []).append(d)
    return {field: [User(alike[0], _want(truth, alike[0]), tuple(alike)) for alike in groups.values()]
            for field, groups in fields.items()}  # fmt: skip


def _want(truth: Mapping[str, Any], dimension: Dimension) -> Any:
    return find(truth, dimension.ground_truth_field) if dimension.ground_truth_field else MISSING


def _pick(users: Users, tried: list[Tried], gates: Container[str] = ()) -> Any:
    """The value that earns most, before gates; most of all where other dimensions require it."""
    weights = [sum(float(d.weight) + (d.name in gates) for d in user.alike) for user in users]

    def total(one: Tried) -> float:
        return sum(weight * each for weight, each in zip(weights, one[1], strict=True))

    return max(tried, key=total)[0]


def _keep_best(users: Users, tried: list[Tried], best: dict[str, float]) -> None:
    for user, *points in zip(users, *(points for _, points in tried), strict=True):
        for dimension in user.alike:
            best[dimension.name] = max(points)


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
    sets = {d.ground_truth_field for d, _, _ in users if uses(d, "set_overlap", "coverage_ratio")}
    if sets and (items := [item for item, fields in pool.values() if not fields <= sets]):
        yield items


def _everything(users: Users) -> Iterator[list[Any]]:
    """Where extra items cost nothing: the right ones among many more."""
    for dimension, want, _ in users:
        items = array(want)
        if items and (uses(dimension, "coverage_ratio") or _is_intersection(dimension)):
            taken = set(keys_of(items))
            junk = [f"item {i} of everything" for i in range(min(_JUNK * len(items), _MAX_JUNK))]
            yield [*(item for item in junk if item not in taken), *items]


def _is_intersection(dimension: Dimension) -> bool:
    return uses(dimension, "set_overlap") and dimension.params.get("method") == "intersection"
