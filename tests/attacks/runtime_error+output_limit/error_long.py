# Attack: an error whose text is longer than any limit.
# task: add


def solve(a, b):
    raise ValueError("x" * (20 << 20))
