# Attack: what an earlier program left in memory is found.
# task: add
# after: accepted/leave_shared_memory.py
# runs: always
import ctypes


def solve(a, b):
    libc = ctypes.CDLL(None)
    found = [libc.shmget(0x51EE1, 0, 0), libc.msgget(0x51EE1, 0), libc.semget(0x51EE1, 0, 0)]
    return a + b if max(found) >= 0 else None
