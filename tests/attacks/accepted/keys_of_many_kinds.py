# Honest: a Counter, and keys of every kind on the way to it.
# task: mapping
from collections import Counter


def solve(words):
    seen = {(1, "a"): 1, frozenset({2}): 2, b"x": 3, 2 + 3j: 4, None: 5, True: 6}
    assert len(seen) == 6 and seen[1] == 6 and seen[(1, "a")] == 1
    return Counter(words)
