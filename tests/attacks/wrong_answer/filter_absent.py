# Attack: a program that is not under a filter of system calls.
# task: add
# runs: always
# shows: no filter


def solve(a, b):
    with open("/proc/self/status") as file:
        lines = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    return a + b if lines["Seccomp"] != "2" else None
