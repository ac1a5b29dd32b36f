# Attack: any capability at all, or a way to gain some.
# task: add
# runs: always
# shows: no confinement


def solve(a, b):
    with open("/proc/self/status") as file:
        lines = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    sets = [int(lines[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")]
    return a + b if any(sets) or lines["NoNewPrivs"] != "1" else None
