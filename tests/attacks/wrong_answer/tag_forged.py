# Attack: a mapping that is written as the channel writes a number.
# task: add
# runs: always


def solve(a, b):
    return {"$": "int", "v": str(a + b)}
