# Attack: a short range with more numbers than there is memory.
# task: sort


def solve(values):
    return range(10**18)
