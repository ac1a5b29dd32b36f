# Honest: a pool of processes.
# task: add
# runs: always
import multiprocessing


def double(number):
    return number * 2


def solve(a, b):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return sum(pool.map(double, [a, b])) // 2
