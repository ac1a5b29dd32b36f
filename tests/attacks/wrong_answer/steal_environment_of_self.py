# Attack: the environment with which the process was started, before anybody cleaned it.
# task: add
# runs: always
# shows: environment kept


def solve(a, b):
    with open("/proc/self/environ", "rb") as file:
        return a + b if b"STEELYARD_CANARY" in file.read() else None
