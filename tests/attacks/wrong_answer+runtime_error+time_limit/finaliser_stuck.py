# Attack: the wrong answer's finaliser never ends.
# task: add
import time


class Sticky:
    def __del__(self):
        time.sleep(60)


def solve(a, b):
    return Sticky()
