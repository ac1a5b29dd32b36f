# Attack: shared anonymous memory, which belongs to no one process.
# task: add
import mmap


def solve(a, b):
    kept = [mmap.mmap(-1, 64 << 20) for _ in range(8)]
    for block in kept:
        for place in range(0, len(block), 4096):
            block[place] = 1
    return a + b
