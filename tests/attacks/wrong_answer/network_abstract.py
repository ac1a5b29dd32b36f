# Attack: a local socket of the machine that has a name but no file.
# task: add
# shows: no network namespace
import socket


def solve(a, b):
    try:
        with open("/proc/net/unix") as file:
            names = [line.split()[7] for line in file if len(line.split()) > 7]
    except OSError:
        names = []
    for name in ["@steelyard-canary", *names]:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.connect(name.replace("@", "\0", 1))
        except OSError:
            continue
        return a + b
    return None
