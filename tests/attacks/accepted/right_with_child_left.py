# Attack: the right answer, and a child that keeps the output open and would outlive it.
# task: sum
import os
import time

print(sum(map(int, input().split())), flush=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
