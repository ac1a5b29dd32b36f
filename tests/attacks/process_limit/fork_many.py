# Attack: more children at once than are allowed; right only if all of them could be had.
# task: add
# runs: always
import os
import time


def solve(a, b):
    for _ in range(100):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    return a + b
