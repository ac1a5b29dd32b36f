# Attack: it raises what only the interpreter should raise.
# task: add


def solve(a, b):
    raise BaseException("accepted")
