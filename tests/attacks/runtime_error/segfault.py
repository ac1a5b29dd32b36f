# Attack: a read at address nought.
# task: add
# runs: always
import ctypes


def solve(a, b):
    return ctypes.string_at(0)
