# Attack: half a message, and then nothing: whoever waits for the rest waits for ever.
# task: add
import os
import struct
import time


def solve(a, b):
    os.write(3, struct.pack(">I", 1000) + b'{"done": 1, "value"')
    time.sleep(600)
