"""Ground truths that lint makes up: such as could belong to a spec, and of which one answer serves all its dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.spec.answers import as_answer, possible_answers
from steelyard.spec.compared import attempted
from steelyard.spec.evaluator import compare
from steelyard.spec.field import MISSING, nested
from steelyard.spec.format import run_checks
from steelyard.spec.guesses import uses, words
from steelyard.spec.instances import fitting
from steelyard.spec.model import Check, Dimension, Spec
from steelyard.spec.shapes import checks_over, shape_of

_ITEMS = 10
# So many values are tried for a field of the truth, and so many answers for a field of the submission.
_VALUES, _ANSWERS = 60, 100
# The dimensions by the field of the truth that they compare with.
Groups = Mapping[str, list[Dimension]]


def make_truth(spec: Spec) -> tuple[dict[str, Any], list[str]]:
    """A ground truth that could belong to the spec, and the names of dimensions for which none was found."""
    maker = _Maker(spec)
    truth: dict[str, Any] = {}
    lost: list[str] = []
    for groups in _clusters(spec):
        found = maker.values_for(groups)
        lost += [
            d.name for field, users in groups.items() if found[field] is MISSING for d in users
        ]
        truth |= found
    # Nobody but the author knows what a script reads.
    return truth, lost + [d.name for d in spec.dimensions if d.reads == "submission"]


def with_own_truth(spec: Spec) -> Spec:
    """A spec that knows its answers, as one that compares each field with the same field of a ground truth."""
    compared = tuple(
        msgspec.structs.replace(d, ground_truth_field=d.field) for d in spec.dimensions
    )
    return msgspec.structs.replace(spec, dimensions=compared)


class _Maker:
    """Makes values for fields of the truth that hang together."""

    def __init__(self, spec: Spec) -> None:
        self._checks, self._handed_out = spec.checks, attempted(spec)
        self._over: dict[str, tuple[Check, ...]] = {}

    def values_for(self, groups: Groups) -> dict[str, Any]:
        """A value for each field of the truth, MISSING where none fits the dimensions that compare with it.

        Each gets one of its own, and where no answer is then right in all dimensions all get the same.
        """
        apart = {field: self._value(field, users) for field, users in groups.items()}
        if len(groups) == 1 or MISSING in apart.values() or self._can_be_answered(groups, apart):
            return apart
        one = self._value(next(iter(groups)), [*chain(*groups.values())])
        same = dict.fromkeys(groups, one)
        return same if one is not MISSING and self._can_be_answered(groups, same) else apart

    def _value(self, field: str, users: list[Dimension]) -> Any:
        """A value that is right where it is wanted; if there is one, it passes the format checks too."""
        right = (
            value
            for value in self._possible(field, users)
            if all(_is_right(d, value, value) for d in users)
        )
        first: Any = MISSING
        for value in right:
            if all(self._passes(str(d.field), as_answer(d, value)) for d in users):
                return value
            first = value if first is MISSING else first
        return first

    def _possible(self, field: str, users: list[Dimension]) -> Iterator[Any]:
        fields = dict.fromkeys(str(d.field) for d in users)
        shapes = (shape_of(of, checks) for of in fields if (checks := self._checks_over(of)))
        by_checks = chain.from_iterable(fitting(shape, field) for shape in shapes)
        return chain(self._shared(users), _plausible(field), islice(by_checks, _VALUES))

    def _shared(self, users: list[Dimension]) -> Iterator[Any]:
        """What is found is among what can be attempted, so that naming all of that is seen to pay."""
        universe = [f"item {i}" for i in range(1, _ITEMS + 1)]
        if any(d.ground_truth_field in self._handed_out for d in users):
            yield universe
        elif self._handed_out and all(uses(d, "set_overlap") for d in users):
            yield universe[1::3]

    def _can_be_answered(self, groups: Groups, truth: Mapping[str, Any]) -> bool:
        """Whether each field of the submission has an answer that is right in all dimensions over it."""
        fields: dict[str, list[Dimension]] = {}
        for d in chain(*groups.values()):
            fields.setdefault(str(d.field), []).append(d)
        return all(self._has_answer(field, users, truth) for field, users in fields.items())

    def _has_answer(self, field: str, users: list[Dimension], truth: Mapping[str, Any]) -> bool:
        wanted = [(d, truth[str(d.ground_truth_field)]) for d in users]
        answers = possible_answers(as_answer(d, want) for d, want in wanted)
        return any(
            all(_is_right(d, answer, want) for d, want in wanted) and self._passes(field, answer)
            for answer in answers[:_ANSWERS]
        )

    def _passes(self, field: str, value: Any) -> bool:
        checks = self._checks_over(field)
        return not checks or not run_checks(checks, nested({field: value}))

    def _checks_over(self, field: str) -> tuple[Check, ...]:
        if field not in self._over:
            self._over[field] = checks_over(field, self._checks)
        return self._over[field]


def _clusters(spec: Spec) -> list[dict[str, list[Dimension]]]:
    """The fields of the truth with their dimensions; those that one field of the submission is compared with are together."""
    leader: dict[tuple[str, str], tuple[str, str]] = {}

    def lead(node: tuple[str, str]) -> tuple[str, str]:
        while leader.setdefault(node, node) != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    compared = [(d, d.ground_truth_field) for d in spec.dimensions if d.ground_truth_field]
    for d, field in compared:
        leader[lead(("truth", field))] = lead(("answer", str(d.field)))
    found: dict[tuple[str, str], dict[str, list[Dimension]]] = {}
    for d, field in compared:
        found.setdefault(lead(("truth", field)), {}).setdefault(field, []).append(d)
    return list(found.values())


def _plausible(field: str) -> Iterable[Any]:
    texts = [text.format(field=field) for text in words()["texts"]]
    yield texts[0]
    yield [f"{field} {i}" for i in range(1, _ITEMS + 1)]
    yield [1000 + 37 * i for i in range(_ITEMS)]
    yield 1234
    yield from texts[1:]
    yield True
    yield {"value": texts[0]}


def _is_right(dimension: Dimension, got: object, want: object) -> bool:
    try:
        score = compare(dimension, got, want)
    except SpecError:
        return False
    return score.value == 1 or score.pending
