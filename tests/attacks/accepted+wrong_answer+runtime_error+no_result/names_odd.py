# Attack: names that are no text, or half a character, or lie about being callable.
# task: add


class Liar:
    __call__ = property(lambda self: 1 / 0)
    __class__ = property(lambda self: 1 / 0)


globals()[1] = globals()[None] = globals()["\ud800"] = print
globals()[("a", "b")] = Liar()
liar = Liar()


def solve(a, b):
    return a + b
