# Attack: an iterator without end comes back.
# task: add
import itertools


def solve(a, b):
    return itertools.count(a + b)
