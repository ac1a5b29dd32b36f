# Honest: a pool of processes that load the program again.
# task: add
import multiprocessing as mp
def g(x): return x
def solve(a, b):
    with mp.get_context('spawn').Pool(1) as p: return sum(p.map(g,[a,b]))
