# Attack: the same for a list.
# task: sort


def solve(numbers):
    return {"$": "list", "v": sorted(numbers)}
