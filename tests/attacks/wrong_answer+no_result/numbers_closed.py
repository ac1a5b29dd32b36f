# Attack: every open number is closed, also the private one.
# task: add
# runs: always
import os


def solve(a, b):
    os.closerange(0, 1024)
    return a + b
