# Attack: a daemon keeps the output open after the right answer was printed; nobody may wait for it for ever.
# task: sum
import os
import time

print(sum(map(int, input().split())), flush=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
