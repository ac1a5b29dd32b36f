# Honest: half of the memory that is allowed.
# task: add


def solve(a, b):
    block = bytearray(50 << 20)
    block[::4096] = b"x" * len(block[::4096])
    return a + b
