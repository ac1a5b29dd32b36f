# Attack: another program takes the memory.
# task: add
import subprocess
import sys


def solve(a, b):
    code = "b = bytearray(400 << 20)\nfor p in range(0, len(b), 4096): b[p] = 1\nprint('all')"
    subprocess.run([sys.executable or "python3", "-c", code], capture_output=True)
    return a + b
