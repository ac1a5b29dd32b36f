# Attack: an iterator whose next step never comes.
# task: add
import time


class Stuck:
    def __iter__(self):
        return self

    def __next__(self):
        time.sleep(60)


def solve(a, b):
    return Stuck()
