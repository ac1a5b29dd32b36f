# Attack: written straight to the numbers 1 and 2, past Python.
# task: add
import os


def solve(a, b):
    while True:
        os.write(1, b"x" * 65536)
        os.write(2, b"y" * 65536)
