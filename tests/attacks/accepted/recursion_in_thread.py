# Honest: deep recursion in a thread with a large stack.
# task: add
import sys,threading
sys.setrecursionlimit(10**6)
threading.stack_size(64<<20)
r=[]
def f(n): return 0 if n==0 else f(n-1)
def solve(a, b):
    def go(): r.append(f(30000)+a+b)
    t=threading.Thread(target=go); t.start(); t.join()
    return r.pop()
