# Attack: it sleeps.
# task: add
# runs: always
import time


def solve(a, b):
    time.sleep(3600)
    return a + b
