# Attack: a child is traced, which is enough to get round some filters.
# task: add
import ctypes
import os


def solve(a, b):
    child = os.fork()
    if child == 0:
        os._exit(0 if ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0 else 1)
    status = os.waitpid(child, 0)[1]
    return a + b if status == 0 else None
