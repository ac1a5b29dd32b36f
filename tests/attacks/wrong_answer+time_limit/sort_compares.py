# Attack: entries that cannot be sorted, hashed or compared without running the program's code.
# task: sort
import time


class Entry(int):
    def __lt__(self, other):
        time.sleep(60)

    __gt__ = __eq__ = __hash__ = __lt__


def solve(numbers):
    return [Entry(n) for n in numbers]
