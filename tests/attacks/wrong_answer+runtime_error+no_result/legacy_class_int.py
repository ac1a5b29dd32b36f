# Attack: the same with a kind of whole number.
# task: legacy_class


class Amount(int):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = int.__hash__


class Account:
    balance = Amount(0)
    put = lambda self, amount: None
