# Attack: mappings that contain one another, also as what a set was made from.
# task: mapping


def solve(words):
    first, second = {}, {}
    first["next"], second["next"] = second, first
    return first
