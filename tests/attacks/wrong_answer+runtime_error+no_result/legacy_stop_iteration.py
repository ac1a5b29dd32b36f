# Attack: errors that end a loop or a generator quietly.
# task: legacy_bare


def solve(a, b):
    raise StopIteration(3)
