# Attack: each case alone is below the limit, the run is not.
# task: add
import time


def solve(a, b):
    time.sleep(1.8)
    return a + b
