# Honest: it sleeps, below the limit.
# task: add
import time


def solve(a, b):
    time.sleep(0.3)
    return a + b
