# Attack: recursion without end.
# task: add
# runs: always


def solve(a, b):
    return solve(a, b)
