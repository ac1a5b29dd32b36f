# Attack: the environment as it still lies on the stack.
# task: add
# shows: environment kept


def solve(a, b):
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            if line.rstrip().endswith("[stack]"):
                low, high = (int(part, 16) for part in line.split()[0].split("-"))
                memory.seek(low)
                return a + b if b"STEELYARD_CANARY" + b"=" in memory.read(high - low) else None
    return None
