# Attack: a loop without end.
# task: add
# runs: always


def solve(a, b):
    while True:
        pass
