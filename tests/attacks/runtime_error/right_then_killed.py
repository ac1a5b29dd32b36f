# Attack: the right answer, and then an end by a signal.
# task: sum
import os,signal
a,b=map(int,input().split())
print(a+b,flush=True)
os.kill(os.getpid(),signal.SIGKILL)
