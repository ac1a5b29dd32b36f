# Attack: a module comes back.
# task: add
import os


def solve(a, b):
    return os
