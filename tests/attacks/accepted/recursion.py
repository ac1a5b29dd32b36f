# Honest: deep recursion with a raised limit.
# task: add
# runs: always
import sys

sys.setrecursionlimit(20_000)


def down(number):
    return 0 if number == 0 else 1 + down(number - 1)


def solve(a, b):
    return a + b if down(10_000) == 10_000 else None
