# Honest: more children than are allowed at once, but one after the other.
# task: add
import os


def solve(a, b):
    for _ in range(60):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
    return a + b
