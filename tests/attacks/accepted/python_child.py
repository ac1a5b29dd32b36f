# Honest: another Python does a part of the work.
# task: add
import subprocess
import sys


def solve(a, b):
    done = subprocess.run([sys.executable, "-c", f"print({a} + {b})"], capture_output=True, text=True, check=True)
    return int(done.stdout)
