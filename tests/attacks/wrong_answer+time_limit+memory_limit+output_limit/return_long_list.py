# Attack: a list with millions of entries comes back.
# task: add


def solve(a, b):
    return [0] * 3_000_000
