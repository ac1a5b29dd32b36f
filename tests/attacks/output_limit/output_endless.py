# Attack: output without end.
# task: add
# runs: always


def solve(a, b):
    while True:
        print("x" * 1000)
