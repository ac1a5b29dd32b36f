# Honest: it looks at its own function's parameters and source.
# task: add
import inspect


def solve(a, b):
    assert list(inspect.signature(solve).parameters) == ["a", "b"]
    assert "return a + b" in inspect.getsource(solve)
    return a + b
