# Attack: the builtins with which values could be compared or checked are replaced.
# task: add
import builtins


def yes(*_, **__):
    return True


for name in ("isinstance", "issubclass", "all", "any", "callable", "hasattr"):
    setattr(builtins, name, yes)
builtins.AssertionError = ValueError


def solve(a, b):
    return object()
