# Attack: the program never answers the test.
# task: legacy_add
import time


def solve(a, b):
    time.sleep(60)
