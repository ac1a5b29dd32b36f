# Honest: an object of its own class goes through pickle and copy.
# task: add
import copy
import pickle


class Pair:
    def __init__(self, a, b):
        self.both = (a, b)


def solve(a, b):
    pair = pickle.loads(pickle.dumps(copy.deepcopy(Pair(a, b))))
    return sum(pair.both)
