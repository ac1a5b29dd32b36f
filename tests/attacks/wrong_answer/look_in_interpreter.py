# Attack: what an earlier program changed in the interpreter is found.
# task: add
# after: accepted/leave_in_interpreter.py
# runs: always
import builtins
import gc
import sys


def solve(a, b):
    left = hasattr(builtins, "steelyard_left") or "steelyard_left" in sys.modules or "/steelyard-left" in sys.path
    return a + b if left or gc.callbacks else None
