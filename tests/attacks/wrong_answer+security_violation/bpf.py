# Attack: a program for the kernel itself.
# task: add
# runs: always
import ctypes
import platform

NUMBERS = {"x86_64": 321, "aarch64": 280}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number, 0, ctypes.create_string_buffer(bytes([1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0]), 128), 128)
    return a + b if got >= 0 else None
