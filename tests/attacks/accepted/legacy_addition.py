# Honest: a function against assertions.
# task: legacy_add
# runs: always


def solve(a, b):
    return a + b
