# Attack: everything that can be signalled is stopped.
# task: sum
import os
import signal

os.kill(-1, signal.SIGSTOP)
os.kill(os.getpid(), signal.SIGSTOP)
