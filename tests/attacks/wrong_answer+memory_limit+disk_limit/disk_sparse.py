# Attack: a file that says it has a terabyte.
# task: report
import os
import sys

file = os.open("report.txt", os.O_CREAT | os.O_RDWR, 0o644)
try:
    os.ftruncate(file, 1 << 40)
except OSError as refused:
    sys.exit(f"[Errno {refused.errno}] {refused.strerror}")
print("done")
