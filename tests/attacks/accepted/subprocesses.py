# Honest: another program does a part of the work.
# task: add
# runs: always
import subprocess


def solve(a, b):
    done = subprocess.run(["sh", "-c", f"echo $(({a} + {b}))"], capture_output=True, text=True, check=True)
    return int(done.stdout)
