# Attack: an object that says its class is int.
# task: add


class Liar:
    __class__ = int
    __int__ = __index__ = lambda self: 3
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 3


def solve(a, b):
    return Liar()
