"""The ground truth handed in as the answer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from steelyard.errors import SpecError
from steelyard.primitives.values import array, keys_of
from steelyard.spec.compared import users_by_field
from steelyard.spec.field import MISSING, find, nested
from steelyard.spec.guesses import Users
from steelyard.spec.model import Dimension, Spec
from steelyard.spec.trial import Trial, pick

# So many of the arrays are tried before all that the others hold, and one of them where that is much.
_LEADING, _MUCH = 5, 1_000


def right_submission(spec: Spec, truth: Mapping[str, Any]) -> dict[str, Any]:
    """The answers that the ground truth itself gives.

    Where dimensions over one field compare with several truths, it is the one that serves them best: the set of an order is
    in the order too, and all that is wanted somewhere is in all of it together.
    """
    fields = users_by_field(spec, truth)
    return nested({field: _answer(spec, field, users, truth) for field, users in fields.items()})


def solution_of(spec: Spec, field: str) -> Any:
    """The program that should pass all tests of a field, if one of its dimensions brings it, else MISSING."""
    given = [
        d.params["solution"] for d in spec.dimensions if d.field == field and "solution" in d.params
    ]
    return given[0] if given else MISSING


def possible_answers(wanted: Iterable[Any]) -> list[Any]:
    """What may be right where these are wanted: each of them, and of several arrays all that they hold, each of them first.

    >>> possible_answers([["a", "b"], ["b", "c"], ["a", "b"]])
    [['a', 'b'], ['a', 'b', 'c'], ['b', 'c', 'a'], ['b', 'c']]
    """
    found = _distinct(list(wanted))
    lists = [items for value in found if (items := array(value))]
    if len(lists) < 2:
        return found
    every = [item for items in lists for item in items]
    whole = [
        _distinct([*items, *every]) for items in lists[: _LEADING if len(every) <= _MUCH else 1]
    ]
    # Of very many the first are tried, and these among them.
    return _distinct([found[0], *whole, *found[1:]])


def as_answer(dimension: Dimension, want: Any) -> Any:
    """What a ground truth is as an answer: of several correct ones to a question for text, one."""
    return want[0] if dimension.of_text and isinstance(want, list) and want else want


def _distinct(values: list[Any]) -> list[Any]:
    found: dict[Hashable, Any] = {}
    for known, value in zip(keys_of(values), values, strict=True):
        found.setdefault(known, value)
    return list(found.values())


def _answer(spec: Spec, field: str, users: Users, truth: Mapping[str, Any]) -> Any:
    right = [_right(spec, field, user.dimension, truth) for user in users]
    found = possible_answers(value for value in right if value is not MISSING)
    if len(found) < 2 or any(user.dimension.reads == "program" for user in users):
        return found[0] if found else MISSING
    try:
        return pick(users, Trial(field, users, spec.checks).of(found))
    except SpecError:  # the truth cannot be used, which is told when it is
        return found[0]


def _right(spec: Spec, field: str, dimension: Dimension, truth: Mapping[str, Any]) -> Any:
    """What earns full marks in a dimension; a suite of tests is no program, so a solution has to be given."""
    if dimension.reads == "program":
        return solution_of(spec, field)
    return as_answer(dimension, find(truth, dimension.ground_truth_field or field))
