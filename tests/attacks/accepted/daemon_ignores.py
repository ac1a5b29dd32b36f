# Attack: a daemon that ignores every signal outlives the right answer.
# task: add
import os
import signal
import time


def solve(a, b):
    if os.fork() == 0:
        for number in range(1, signal.NSIG):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                continue
        os.setsid()
        time.sleep(600)
    return a + b
