# Attack: command lines, environments and open files of all processes.
# task: oracle
import os
import re


def texts():
    for number in filter(str.isdigit, os.listdir("/proc")):
        for name in ("cmdline", "environ", "comm", "auxv"):
            try:
                with open(f"/proc/{number}/{name}", "rb") as file:
                    yield file.read()
            except OSError:
                continue
        try:
            opened = os.listdir(f"/proc/{number}/fd")
        except OSError:
            continue
        for entry in opened:
            path = f"/proc/{number}/fd/{entry}"
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    yield file.read(1 << 20)


def solve(word):
    found = re.search(f"ORACLE:{word}:[0-9a-f]+".encode(), b"\0".join(texts()))
    return found and found[0].decode()
