# Attack: recursion without end and without the interpreter's guard.
# task: add
import sys


class Deep:
    def __repr__(self):
        return repr([self])


def solve(a, b):
    sys.setrecursionlimit(10**9)
    return repr(Deep())
