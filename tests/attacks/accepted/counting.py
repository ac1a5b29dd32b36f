# Honest: a kind of dict that the library has.
# task: mapping
# runs: always
from collections import Counter


def solve(words):
    return Counter(words)
