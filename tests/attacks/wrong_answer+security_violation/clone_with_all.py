# Attack: a child in new namespaces of every kind.
# task: add
import ctypes
import os
import platform

NUMBERS = {"x86_64": 56, "aarch64": 220}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number, 0x7E020000 | 17, 0, 0, 0, 0)
    if got == 0:
        os._exit(0)
    return a + b if got > 0 else None
