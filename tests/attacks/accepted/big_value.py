# Honest: a long text comes back, within the limit.
# task: long
# runs: always


def solve(count):
    return "ab" * count
