# Attack: the interpreter itself writes into the private channel, again and again.
# task: add
import faulthandler
import time


def solve(a, b):
    faulthandler.enable(file=3)
    faulthandler.dump_traceback_later(0.01, repeat=True, file=3)
    time.sleep(0.3)
    return a + b
