# Attack: variables of whoever runs the grader.
# task: add
# runs: always
# shows: environment kept
import os


def solve(a, b):
    return a + b if "STEELYARD_CANARY" in os.environ else None
