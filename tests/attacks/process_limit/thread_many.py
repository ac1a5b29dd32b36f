# Attack: more threads at once than are allowed.
# task: add
# runs: always
import threading


def solve(a, b):
    gate = threading.Event()
    for _ in range(200):
        threading.Thread(target=gate.wait, daemon=True).start()
    return a + b
