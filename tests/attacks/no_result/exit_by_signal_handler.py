# Attack: a timer's handler ends the process with code 0.
# task: add
# trusts: exit code
import os
import signal
import time

signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
signal.setitimer(signal.ITIMER_REAL, 0.2)


def solve(a, b):
    time.sleep(60)
