# Attack: the same by the newer call, whose flags a filter cannot read.
# task: add
# runs: always
import ctypes
import os
import platform

NUMBERS = {"x86_64": 435, "aarch64": 435}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number, ctypes.create_string_buffer((0x10000000).to_bytes(8, 'little') + bytes(24) + (17).to_bytes(8, 'little'), 88), 88)
    if got == 0:
        os._exit(0)
    return a + b if got > 0 else None
