# Attack: nothing can be imported, opened or printed any more.
# task: add
import builtins


def solve(a, b):
    for name in ("__import__", "open", "print", "repr", "str", "len", "isinstance", "type", "getattr", "super"):
        if hasattr(builtins, name):
            delattr(builtins, name)
    return None
