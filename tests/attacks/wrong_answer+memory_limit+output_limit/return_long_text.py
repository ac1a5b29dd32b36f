# Attack: a text of fifty megabytes comes back.
# task: add


def solve(a, b):
    return "x" * (50 << 20)
