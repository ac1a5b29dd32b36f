# Attack: what an earlier program wrote to shared pages is found.
# task: add
# after: accepted/leave_in_mapped_memory.py
import ctypes


def solve(a, b):
    with open("/proc/self/maps") as maps:
        for line in maps:
            parts = line.split()
            if parts[1][0] == "r" and parts[1][3] == "s":
                low = int(parts[0].split("-")[0], 16)
                if ctypes.string_at(low, 14) == b"steelyard-left":
                    return a + b
    return None
