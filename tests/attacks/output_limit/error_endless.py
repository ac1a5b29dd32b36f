# Attack: the same on standard error.
# task: add
import sys


def solve(a, b):
    while True:
        sys.stderr.write("x" * 1000)
