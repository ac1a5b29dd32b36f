# Attack: a view that says it is short and has no end.
# task: sort
from collections.abc import ItemsView, KeysView


class Endless(KeysView):
    def __init__(self):
        super().__init__({})

    def __len__(self):
        return 3

    def __iter__(self):
        while True:
            yield 1


def solve(values):
    return Endless()
