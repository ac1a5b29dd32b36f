# Honest: a block of memory that two processes share.
# task: add
import os
from multiprocessing import shared_memory


def solve(a, b):
    block = shared_memory.SharedMemory(create=True, size=16)
    try:
        if os.fork() == 0:
            block.buf[:8] = (a + b).to_bytes(8, "little", signed=True)
            os._exit(0)
        os.wait()
        return int.from_bytes(block.buf[:8], "little", signed=True)
    finally:
        block.close()
        block.unlink()
