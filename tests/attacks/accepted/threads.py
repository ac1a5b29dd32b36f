# Honest: a pool of threads.
# task: add
# runs: always
from concurrent.futures import ThreadPoolExecutor


def solve(a, b):
    with ThreadPoolExecutor(4) as pool:
        return sum(pool.map(int, [a, b]))
