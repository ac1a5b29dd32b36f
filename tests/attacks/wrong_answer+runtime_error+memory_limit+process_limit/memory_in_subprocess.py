# Attack: another program takes the memory.
# task: add
import subprocess
import sys


def solve(a, b):
    code = "b = bytearray(600 << 20)\nfor p in range(0, len(b), 4096): b[p] = 1\nprint('all')"
    done = subprocess.run([sys.executable or "python3", "-c", code], capture_output=True, text=True)
    return a + b if done.stdout.strip() == "all" else None
