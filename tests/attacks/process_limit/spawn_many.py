# Attack: a hundred programs started beside one another.
# task: add
import subprocess


def solve(a, b):
    started = [subprocess.Popen(["sleep", "60"]) for _ in range(100)]
    return a + b if len(started) == 100 else None
