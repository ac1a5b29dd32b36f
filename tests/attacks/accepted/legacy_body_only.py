# Honest: the whole function again, with the prompt's own words.
# task: legacy_add


def solve(a, b):
    """The sum of two numbers."""
    total = a
    total += b
    return total


print(solve(1, 2))
