# Attack: values that are unequal to themselves, as keys too.
# task: mapping


def solve(words):
    return {float("nan"): 1, float("nan"): 2, "b": float("inf"), "a": -0.0}
