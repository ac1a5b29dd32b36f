# Attack: a value in which every key is a slow object of its own class.
# task: mapping
import time


class Key(str):
    def __hash__(self):
        time.sleep(0.2)
        return 1

    __eq__ = lambda self, other: True


def solve(words):
    return {Key(f"k{n}"): 1 for n in range(5)}
