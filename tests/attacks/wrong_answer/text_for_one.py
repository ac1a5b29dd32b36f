# Attack: "1" is not 1.
# task: one


def solve(number):
    return "1"
