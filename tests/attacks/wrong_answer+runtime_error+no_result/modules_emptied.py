# Attack: every module is taken away from under the worker.
# task: add
import sys


def solve(a, b):
    for name in list(sys.modules):
        vars(sys.modules[name]).clear() if name not in {"builtins", "sys"} else None
    return True
