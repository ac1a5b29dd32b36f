# Attack: the same as a set of tuples.
# task: sort


def solve(numbers):
    return {(n * (2**61 - 1),) for n in range(3_000)}
