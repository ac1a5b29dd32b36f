# Attack: the same in /dev/shm, which is memory.
# task: add


def solve(a, b):
    with open("/dev/shm/big", "wb") as file:
        for _ in range(64):
            file.write(b"x" * (1 << 20))
    return a + b
