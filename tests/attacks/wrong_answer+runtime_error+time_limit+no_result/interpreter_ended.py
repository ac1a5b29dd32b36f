# Attack: the interpreter is taken down while the worker still needs it.
# task: add
import ctypes


def solve(a, b):
    ctypes.pythonapi.Py_FinalizeEx()
    return None
