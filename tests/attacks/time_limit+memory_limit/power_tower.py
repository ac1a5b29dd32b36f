# Attack: a number that does not fit.
# task: add


def solve(a, b):
    return a + b if 10 ** (10**9) else None
