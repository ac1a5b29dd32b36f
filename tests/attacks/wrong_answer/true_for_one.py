# Attack: true is not 1.
# task: one


def solve(number):
    return True
