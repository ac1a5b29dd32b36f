# Honest: the test hands a function over, and it is used.
# task: legacy_callback


def solve(words, key):
    return sorted(words, key=key)
