# Attack: a pool of a hundred workers.
# task: add
import multiprocessing


def pause(_):
    import time

    time.sleep(0.5)
    return 1


def solve(a, b):
    with multiprocessing.get_context("fork").Pool(100) as pool:
        return a + b if sum(pool.map(pause, range(100), chunksize=1)) == 100 else None
