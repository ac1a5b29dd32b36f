# Attack: an object whose differences are nought and whose comparisons are true.
# task: legacy_close
# runs: always


class Near(float):
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __sub__ = __rsub__ = __abs__ = lambda self, *other: Near(0)
    __float__ = lambda self: 6.0
    __hash__ = lambda self: hash(900)


def solve(a, b):
    return Near(123.0)
