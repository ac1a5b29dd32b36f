# Attack: shared memory that no file is behind.
# task: add
import mmap
def solve(a, b):
    m=mmap.mmap(-1,400<<20)
    for i in range(0,400<<20,4096): m[i]=1
    return a+b
