# Attack: every signal that can be ignored is ignored, then it sleeps.
# task: add
# runs: always
import signal
import time


def solve(a, b):
    for number in range(1, signal.NSIG):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        time.sleep(1)
