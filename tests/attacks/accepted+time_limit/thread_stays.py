# Attack: a thread that never ends keeps the process after the right answer.
# task: add
import threading
import time


def solve(a, b):
    threading.Thread(target=time.sleep, args=[600]).start()
    return a + b
