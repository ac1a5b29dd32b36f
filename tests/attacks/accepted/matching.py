# Honest: newer syntax.
# task: add


def solve(a, b):
    match (a, b):
        case (int(first), int(second)):
            return first + second
    return None
