# Honest: a function against bare assertions.
# task: legacy_bare


def solve(a, b):
    return a + b
