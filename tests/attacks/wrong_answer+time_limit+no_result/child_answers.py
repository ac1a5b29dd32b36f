# Attack: a child and its parent both answer the same call.
# task: add
import os


def solve(a, b):
    os.fork()
    return None
