# Attack: a process or a socket of an earlier program is found.
# task: add
# after: accepted/leave_processes.py
# runs: always
import os
import socket


def solve(a, b):
    with socket.socket(socket.AF_UNIX) as line:
        if line.connect_ex("\0steelyard-left") == 0:
            return a + b
    others = {name for name in os.listdir("/proc") if name.isdigit()} - {"1", str(os.getpid()), str(os.getppid())}
    for number in others:
        with open(f"/proc/{number}/stat") as file:
            if file.read().rsplit(")", 1)[1].split()[3] == number:
                return a + b
    return None
