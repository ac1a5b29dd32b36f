# Attack: the process sends itself the signal that the filter would send.
# task: add
import os
import signal


def solve(a, b):
    os.kill(os.getpid(), signal.SIGSYS)
