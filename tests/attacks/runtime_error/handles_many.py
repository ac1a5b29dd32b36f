# Attack: more open files than are allowed.
# task: add


def solve(a, b):
    held = [open("/dev/null") for _ in range(100_000)]
    return a + b if len(held) == 100_000 else None
