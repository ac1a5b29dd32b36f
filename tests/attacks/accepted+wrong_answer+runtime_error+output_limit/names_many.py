# Attack: more names than a message about them can hold.
# task: add
globals().update({f"function{number}": print for number in range(200_000)})


def solve(a, b):
    return a + b
