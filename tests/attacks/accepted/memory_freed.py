# Honest: it takes memory again and again, and gives it back.
# task: add


def solve(a, b):
    for _ in range(20):
        block = bytearray(30 << 20)
        del block
    return a + b
