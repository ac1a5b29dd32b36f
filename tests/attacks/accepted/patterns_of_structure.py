# Honest: data classes, enumerations, context variables and matching.
# task: fibonacci
import contextvars
import dataclasses
import enum

place = contextvars.ContextVar("place", default=0)


class Step(enum.Enum):
    FIRST = 0
    SECOND = 1


@dataclasses.dataclass(frozen=True, order=True)
class Pair:
    now: int = Step.FIRST.value
    after: int = Step.SECOND.value

    def next(self):
        return dataclasses.replace(self, now=self.after, after=self.now + self.after)


def solve(n):
    pair = Pair()
    while place.get() < n:
        place.set(place.get() + 1)
        pair = pair.next()
    place.set(0)
    match pair:
        case Pair(now=found):
            return found
