# Attack: another thread ends the process while the function waits.
# task: add
# trusts: exit code
import os
import threading
import time


def solve(a, b):
    threading.Timer(0.1, os._exit, [0]).start()
    time.sleep(60)
