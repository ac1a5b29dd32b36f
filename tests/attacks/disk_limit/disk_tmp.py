# Attack: a file in /tmp that is larger than allowed.
# task: add
# runs: always


def solve(a, b):
    with open("/tmp/big", "wb") as file:
        for _ in range(64):
            file.write(b"x" * (1 << 20))
    return a + b
