# Attack: the process aborts.
# task: add
import os


def solve(a, b):
    os.abort()
