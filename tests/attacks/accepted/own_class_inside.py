# Honest: objects of its own class are used on the way, and plain data comes back.
# task: sort
import functools


@functools.total_ordering
class Item:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other.number

    def __lt__(self, other):
        return self.number < other.number


def solve(numbers):
    return [item.number for item in sorted(map(Item, numbers))]
