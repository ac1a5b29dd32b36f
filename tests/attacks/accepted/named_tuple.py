# Honest: a named tuple comes back.
# task: sort
from typing import NamedTuple


class Row(NamedTuple):
    entries: list


def solve(numbers):
    return Row(sorted(numbers)).entries
