# Attack: what an earlier program left in a folder is found.
# task: add
# after: accepted/leave_files.py
# runs: always
import os


def solve(a, b):
    for folder in ("/tmp", "/dev/shm", "/box", "/var/tmp", "/run", os.getcwd(), os.path.expanduser("~")):
        if os.path.exists(os.path.join(folder, "steelyard-left")):
            return a + b
    return None
