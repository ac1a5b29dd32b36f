# Attack: an object that exits whatever it is asked.
# task: add
# trusts: exit code
import os


def leave(*_, **__):
    os._exit(0)


NAMES = ("getattribute", "eq", "ne", "hash", "repr", "str", "len", "iter", "int", "index", "float", "bool", "reduce_ex")
Trap = type("Trap", (), {f"__{name}__": leave for name in NAMES})


def solve(a, b):
    return Trap()
