# Attack: a list inside a list, a hundred thousand times.
# task: add


def solve(a, b):
    nest = []
    for _ in range(100_000):
        nest = [nest]
    return nest
