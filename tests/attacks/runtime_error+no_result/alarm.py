# Attack: a timer that nobody waits for ends the process.
# task: add
import signal
import time


def solve(a, b):
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    time.sleep(60)
