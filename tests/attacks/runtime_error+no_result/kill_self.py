# Attack: the process kills itself.
# task: add
import os
import signal


def solve(a, b):
    os.kill(os.getpid(), signal.SIGKILL)
