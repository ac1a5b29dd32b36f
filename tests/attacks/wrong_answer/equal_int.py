# Attack: a whole number of another value that claims to be equal.
# task: add


class Number(int):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = int.__hash__
    __int__ = __index__ = lambda self: 3
    __repr__ = __str__ = lambda self: "3"


def solve(a, b):
    return Number(999)
