"""What values of one field earn, when lint hands them in."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable
from itertools import islice
from typing import Any

from steelyard.primitives.values import array, key, keys_of
from steelyard.spec.evaluator import compare
from steelyard.spec.field import MISSING, nested
from steelyard.spec.format import run_checks
from steelyard.spec.guesses import Tried, Users, says_nothing, uses
from steelyard.spec.model import Check

# So many comparisons are made for a field with each list of values, and so many values are tried however many compare.
_COMPARISONS, _FEWEST = 300_000, 30


def earned(users: Users, value: Any) -> list[float]:
    """What each of the dimensions gives for a value, before gates."""
    return [compare(d, value, None if want is MISSING else want).value or 0 for d, want, _ in users]


def pick(users: Users, tried: list[Tried], gates: Container[str] = ()) -> Any:
    """The value that earns most, before gates; most of all where other dimensions require it."""
    weights = [sum(float(d.weight) + (d.name in gates) for d in user.alike) for user in users]

    def total(one: Tried) -> float:
        return sum(weight * each for weight, each in zip(weights, one[1], strict=True))

    return max(tried, key=total)[0]


def own_checks(field: str, checks: Iterable[Check]) -> tuple[Check, ...]:
    """The checks of severity error that a field's value alone decides; one of what it stands in sees the whole submission."""
    return tuple(
        c for c in checks if c.severity == "error" and (c.field + ".").startswith(field + ".")
    )


class Trial:
    """Tries values of one field: what the dimensions over it give, and nothing where a format check refuses the value.

    ``cut`` is true once there were more values than could be tried.
    """

    def __init__(self, field: str, users: Users, checks: Iterable[Check]) -> None:
        self._field, self._users, self.cut = field, users, False
        self._checks = own_checks(field, checks)
        self._most = max(_FEWEST, _COMPARISONS // len(users))

    def of(self, values: Iterable[Any]) -> list[Tried]:
        """The values with what they earn."""
        return [(value, self._worth(value)) for value in self._some(values)]

    def without_answers(self, values: Iterable[Any]) -> list[Tried]:
        """The same for values that may be an answer by chance, without those that are one."""
        return [
            one
            for one in self.of(values)
            if says_nothing(one[0]) or not _is_answer(self._users, *one)
        ]

    def of_lists(
        self, lists: Iterable[list[Any]], handed_out: Container[str | None]
    ) -> list[Tried]:
        """The same for lists that whoever knows nothing can name; one that happens to be what is wanted is put in another order.

        Where the list itself is what the questions come with, it is no answer, whatever it earns.
        """
        asked = [user.dimension.ground_truth_field not in handed_out for user in self._users]
        tried = []
        for one in self.of(lists):
            turned = (
                [one] if not self._is_wanted(one, asked) else self.of([one[0][1:] + one[0][:1]])
            )
            tried += [other for other in turned if not self._is_wanted(other, asked)]
        return tried

    def _is_wanted(self, one: Tried, asked: list[bool]) -> bool:
        """Whether a list earns full marks by being what one of these dimensions asks for, in its order if that counts."""
        items: set[Hashable] | None = None
        for (dimension, want, _), each, counts in zip(self._users, one[1], asked, strict=True):
            if not counts or each < 1 or (wanted := array(want)) is None:
                continue
            items = set(keys_of(one[0])) if items is None else items
            if uses(dimension, "exact_match_ratio") or items == set(keys_of(wanted)):
                return True
        return False

    def _some(self, values: Iterable[Any]) -> list[Any]:
        ahead = iter(values)
        found = list(islice(ahead, self._most))
        self.cut = self.cut or next(ahead, MISSING) is not MISSING
        return found

    def _worth(self, value: Any) -> list[float]:
        if self._checks and run_checks(self._checks, nested({self._field: value})):
            return [0.0] * len(self._users)
        return earned(self._users, value)


def _is_answer(users: Users, value: Any, points: list[float]) -> bool:
    """Whether a value is what one of the dimensions asks for; a filler such as "a" may be.

    Within a wide tolerance, where any document fits a schema, and in tests that a program passes which does
    nothing, full marks do not make it an answer.
    """
    for (dimension, want, _), each in zip(users, points, strict=True):
        if want is MISSING or each < 1 or dimension.reads == "program":
            continue
        if not uses(dimension, "numeric_tolerance") or key(value) == key(want):
            return True
    return False
