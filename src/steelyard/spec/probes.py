"""Submissions that lint tries: ones that hold nothing right."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import msgspec

from steelyard.primitives.values import array, keys_of
from steelyard.spec.compared import attempted, users_by_field
from steelyard.spec.field import MISSING, find, nested
from steelyard.spec.guesses import (
    Tried,
    Users,
    constants,
    empty_values,
    same_everywhere,
    says_nothing,
    uniform,
    unrelated,
    uses,
    wrong,
)
from steelyard.spec.model import Dimension, Spec
from steelyard.spec.trial import Trial, pick

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


def make_probes(spec: Spec, truth: Mapping[str, Any]) -> Probes:
    """All that is tried against a truth."""
    fields = users_by_field(spec, truth)
    handed_out = attempted(spec)
    lists, unread = (
        _universes(truth, handed_out),
        _unread_items(spec, truth, _WORK // max(len(fields), 1)),
    )
    best = dict.fromkeys((d.name for d in spec.dimensions), 0.0)
    gates = {name for d in spec.dimensions for name in d.requires}
    picks, cut = _unread(spec, truth), list[str]()
    for field, users in fields.items():
        trial = Trial(field, users, spec.checks)
        tried = [
            (MISSING, [0.0] * len(users)),
            *trial.of(unrelated(users)),
            *trial.without_answers(empty_values(users)),
        ]
        listed = trial.of_lists((*lists, *_elsewhere(users, unread)), handed_out)
        _keep_best(users, tried + listed, best)
        picks["nulls"][field] = None
        picks["blank"][field] = pick(users, [one for one in tried if says_nothing(one[0])])
        picks["wrong"][field] = pick(users, tried)
        picks["opening"][field] = pick(users, tried, gates)
        picks["all"][field] = pick(users, tried + listed)
        picks["both"][field] = pick(users, tried + listed, gates)
        same = [*trial.of(uniform(users)), *trial.without_answers(constants(users))]
        picks["constant"][field] = pick(users, tried + listed + same)
        picks["named"][field] = pick(users, tried + listed + trial.of(_everything(users)))
        cut += [field] * trial.cut
    return Probes(
        empty={
            "empty": {},
            "all null": nested(picks["nulls"]),
            "nulls and blanks": nested(picks["blank"]),
            "wrong content": nested(picks["wrong"]),
            "wrong content that opens gates": nested(picks["opening"]),
            "everything attempted at once": nested(picks["all"]),
            "everything attempted that opens gates": nested(picks["both"]),
        },
        constant=[nested(picks["constant"] | guess) for guess in ({}, *same_everywhere(fields))],
        named=nested(picks["named"]),
        best=best,
        cut=tuple(cut),
    )


def _unread(spec: Spec, truth: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What is handed in besides the fields that dimensions name: a script may read whatever the truth has."""
    picks: dict[str, dict[str, Any]] = {name: {} for name in _KINDS}
    if any(d.reads == "submission" for d in spec.dimensions):
        picks["nulls"], picks["blank"] = dict.fromkeys(truth), dict.fromkeys(truth)
        for name in ("wrong", "opening", "all", "both"):
            picks[name] = {field: next(wrong(value, 0)) for field, value in truth.items()}
    return picks


def _keep_best(users: Users, tried: list[Tried], best: dict[str, float]) -> None:
    for user, *points in zip(users, *(points for _, points in tried), strict=True):
        for dimension in user.alike:
            best[dimension.name] = max(points)


def _universes(truth: Mapping[str, Any], handed_out: frozenset[str]) -> list[list[Any]]:
    """The lists that a solver can name without solving anything; of very many, a few."""
    found: dict[Hashable, list[Any]] = {}
    for field in sorted(handed_out):
        items = array(find(truth, field))
        if items and len(found) < _LISTS:
            found.setdefault(tuple(keys_of(items)), items)
    return list(found.values())


def _unread_items(spec: Spec, truth: Mapping[str, Any], size: int) -> list[Any]:
    """The distinct items of the truth's arrays but for those that answers are compared with: these have to be found."""
    answers = {d.ground_truth_field for d in spec.dimensions} - attempted(spec)
    found: dict[Hashable, Any] = {}
    for field in sorted(truth.keys() - answers, key=str):
        items = array(truth[field]) or []
        for item, known in zip(items, keys_of(items), strict=True):
            if len(found) < size:
                found.setdefault(known, item)
    return list(found.values())


def _elsewhere(users: Users, unread: list[Any]) -> Iterator[list[Any]]:
    """For what is compared as a set: all that occurs in other fields of the truth."""
    if unread and any(uses(d, "set_overlap", "coverage_ratio") for d, _, _ in users):
        yield unread


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
