# Attack: the same, at once.
# task: add
# runs: always
# trusts: exit code
import os


def solve(a, b):
    os._exit(0)
