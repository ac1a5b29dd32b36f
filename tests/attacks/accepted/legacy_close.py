# Honest: a function against assertions on floats.
# task: legacy_close
import math


def solve(a, b):
    return math.fsum([a, b])
