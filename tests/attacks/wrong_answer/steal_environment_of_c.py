# Attack: the environment as the C library and the process's first memory have it.
# task: add
# shows: environment kept
import ctypes


def solve(a, b):
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_char_p
    return a + b if libc.getenv(b"STEELYARD_CANARY") else None
