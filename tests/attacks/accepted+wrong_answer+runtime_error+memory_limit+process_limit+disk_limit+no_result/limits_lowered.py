# Attack: the process takes away from itself what the worker needs.
# task: add
import resource


def solve(a, b):
    for name in ("NOFILE", "AS", "DATA", "FSIZE", "NPROC", "STACK"):
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (0, 0))
    return a + b
