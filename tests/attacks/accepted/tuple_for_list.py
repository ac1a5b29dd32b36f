# Honest: a tuple where a list is expected.
# task: sort


def solve(numbers):
    return tuple(sorted(numbers))
