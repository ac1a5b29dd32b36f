# Attack: the process sends itself the signal of a limit that it has not reached.
# task: add
import os
import signal


def solve(a, b):
    os.kill(os.getpid(), signal.SIGXCPU)
    return None
