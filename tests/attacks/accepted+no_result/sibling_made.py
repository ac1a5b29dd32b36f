# Attack: a process that is nobody's child stays when the answer is right.
# task: add
import ctypes
import os
import signal
import time

libc = ctypes.CDLL(None)
started = []


def solve(a, b):
    if not started:
        started.append(True)
        if libc.syscall(56, 0x8000 | signal.SIGCHLD, 0, 0, 0, 0) == 0:
            os.setsid()
            for number in range(1, 32):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except OSError:
                    pass
            time.sleep(600)
            os._exit(0)
    return a + b
