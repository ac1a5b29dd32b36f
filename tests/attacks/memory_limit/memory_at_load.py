# Attack: the memory is taken before the function is ever called.
# task: add
hoard = [bytes([n % 256]) * (1 << 20) for n in range(600)]


def solve(a, b):
    return a + b
