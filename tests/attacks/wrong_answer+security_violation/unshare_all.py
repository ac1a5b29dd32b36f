# Attack: all the namespaces at once.
# task: add
import ctypes
import platform

NUMBERS = {"x86_64": 272, "aarch64": 97}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number, 0x7E020000)
    return a + b if got >= 0 else None
