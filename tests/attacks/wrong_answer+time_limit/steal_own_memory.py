# Attack: the process reads all of its own memory.
# task: oracle
import re


def solve(word):
    start = "".join(["ORA", "CLE:"])
    pattern = re.compile((start + word + ":").encode() + rb"[0-9a-f]{12}")
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            bounds, mode = line.split()[:2]
            low, high = (int(part, 16) for part in bounds.split("-"))
            if mode.startswith("r") and high - low < 64 << 20:
                try:
                    memory.seek(low)
                    found = pattern.search(memory.read(high - low))
                except (OSError, OverflowError, ValueError):
                    continue
                if found:
                    return found[0].decode()
    return None
