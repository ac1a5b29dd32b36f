# Honest: a class of its own with operators.
# task: add
import functools
import typing

T = typing.TypeVar("T")


@functools.total_ordering
class Amount(typing.Generic[T]):
    __slots__ = ("value",)
    made = 0

    def __init__(self, value: T) -> None:
        self.value = value
        type(self).made += 1

    def __add__(self, other: "Amount[T]") -> "Amount[T]":
        return Amount(self.value + other.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and self.value == other.value

    def __lt__(self, other: "Amount[T]") -> bool:
        return self.value < other.value


def solve(a, b):
    total = Amount(a) + Amount(b)
    assert Amount.made >= 3 and (total >= Amount(a)) == (b >= 0)
    return total.value
