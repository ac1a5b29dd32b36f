# Attack: a list that grows by small steps.
# task: add


def solve(a, b):
    kept = []
    for _ in range(6000):
        kept.append(b"x" * 100_000)
    return a + b
