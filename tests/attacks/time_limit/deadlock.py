# Attack: a lock that is waited for twice.
# task: add
import threading


def solve(a, b):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
