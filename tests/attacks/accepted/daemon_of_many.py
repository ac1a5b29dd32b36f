# Attack: orphans upon orphans, under a process that collects them, outlive the right answer.
# task: add
import ctypes
import os
import time

started = []


def solve(a, b):
    if started:
        return a + b
    started.append(True)
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
    return a + b
