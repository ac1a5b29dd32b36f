# Attack: what runs at the end never ends.
# task: add
import atexit
import time

atexit.register(time.sleep, 600)


def solve(a, b):
    return a + b
