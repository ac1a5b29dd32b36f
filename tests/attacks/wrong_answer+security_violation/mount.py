# Attack: a file system is mounted over a folder.
# task: add
# runs: always
# shows: no filter
import ctypes
import platform

NUMBERS = {"x86_64": 165, "aarch64": 40}


def solve(a, b):
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    got = ctypes.CDLL(None).syscall(number, b'none', b'/tmp', b'tmpfs', 0, None)
    return a + b if got >= 0 else None
