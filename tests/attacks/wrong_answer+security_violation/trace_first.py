# Attack: the first process is traced.
# task: add
# runs: always
import ctypes
import os


def solve(a, b):
    libc = ctypes.CDLL(None)
    attach, seize = 16, 0x4206
    for target in (1, os.getppid()):
        if libc.ptrace(attach, target, 0, 0) == 0 or libc.ptrace(seize, target, 0, 0) == 0:
            return a + b
    return None
