# Attack: ten thousand signals a second.
# task: add
import signal,time
def solve(a, b):
    signal.signal(signal.SIGALRM,lambda *x:None)
    signal.setitimer(signal.ITIMER_REAL,1e-4,1e-4)
    while True: pass
