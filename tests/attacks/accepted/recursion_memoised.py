# Honest: a recursive function that keeps its results.
# task: fibonacci
from functools import lru_cache


@lru_cache(None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def solve(n):
    return fibonacci(n)
