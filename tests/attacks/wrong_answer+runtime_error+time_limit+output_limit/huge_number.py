# Attack: a number with ten million digits.
# task: add


def solve(a, b):
    return 10**10_000_000
