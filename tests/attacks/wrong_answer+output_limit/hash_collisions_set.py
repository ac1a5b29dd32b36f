# Attack: the same as a set, of texts and tuples.
# task: sort


def solve(numbers):
    return {(n * (2**61 - 1),) for n in range(15_000)}
