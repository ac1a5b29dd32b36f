# Honest: a time limit of its own.
# task: add
import signal
def solve(a, b):
    def h(*x): raise TimeoutError
    signal.signal(signal.SIGALRM,h); signal.alarm(2)
    try: return a+b
    finally: signal.alarm(0)
