# Honest: the plain answer.
# task: add
# runs: always


def solve(a, b):
    return a + b
