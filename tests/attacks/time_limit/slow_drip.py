# Attack: a byte every tenth of a second, so that it always seems alive.
# task: sum
import sys
import time

while True:
    sys.stdout.write(".")
    sys.stdout.flush()
    time.sleep(0.1)
