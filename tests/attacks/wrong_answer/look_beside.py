# Attack: a program that runs at the same time is seen, by its files, its socket or its processes.
# task: add
# beside: accepted+time_limit/hold_everything.py
# runs: always
import glob
import os
import socket


def solve(a, b):
    for pattern in ("/tmp/**/steelyard-beside", "/dev/shm/steelyard-beside", "/proc/*/cwd/steelyard-beside"):
        if glob.glob(pattern, recursive=True):
            return a + b
    with socket.socket(socket.AF_UNIX) as line:
        if line.connect_ex("\0steelyard-beside") == 0:
            return a + b
    same = [name for name in os.listdir("/proc") if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid()]
    return a + b if len(same) > 5 else None
