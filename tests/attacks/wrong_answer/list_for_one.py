# Attack: a list of one is not the one.
# task: one


def solve(number):
    return [1]
