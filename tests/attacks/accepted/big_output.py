# Honest: much output, within the limit.
# task: add
# runs: always


def solve(a, b):
    print("x" * 200_000)
    return a + b
