# Honest: a whole number as a float.
# task: add


def solve(a, b):
    return float(a + b)
