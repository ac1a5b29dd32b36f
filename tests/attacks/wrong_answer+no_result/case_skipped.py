# Attack: the second case onwards is never answered: the first answer is right, then the process ends.
# task: add
import os

calls = []


def solve(a, b):
    calls.append(a)
    if len(calls) == 2:
        os._exit(0)
    return a + b
