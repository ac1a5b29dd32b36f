# Attack: a function comes back, with its globals.
# task: add


def solve(a, b):
    return solve
