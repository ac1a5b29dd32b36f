# Attack: the numbers of another calling convention.
# task: add
# runs: always
import ctypes
import platform

NUMBERS = {"x86_64": 1073741863}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number)
    return a + b if got > 0 else None
