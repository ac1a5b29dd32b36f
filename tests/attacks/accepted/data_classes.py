# Honest: annotations as text, data classes, enumerations.
# task: add
from __future__ import annotations

import enum
from dataclasses import dataclass, field


class Sign(enum.Enum):
    PLUS = 1


@dataclass(frozen=True)
class Sum:
    first: int
    second: int
    sign: Sign = Sign.PLUS
    notes: list[str] = field(default_factory=list)

    def value(self) -> int:
        return self.first + self.second


def solve(a: int, b: int) -> int:
    return Sum(a, b).value()
