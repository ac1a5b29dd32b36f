# Honest: an executor with processes, which needs semaphores.
# task: add
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def same(number):
    return number


def solve(a, b):
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        return sum(pool.map(same, [a, b]))
