# Honest: it looks at its own function's parameters.
# task: add
import inspect


def solve(a, b):
    assert list(inspect.signature(solve).parameters) == ["a", "b"]
    return a + b
