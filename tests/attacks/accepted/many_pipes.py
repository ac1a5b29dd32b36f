# Honest: a dozen processes at a time, each with its pipes, and a pool beside them.
# task: add
import multiprocessing
import subprocess


def solve(a, b):
    children = [subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(12)]
    said = [child.communicate(b"%d" % number)[0] for number, child in enumerate(children)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return pool.apply(sum, ([a, b],)) if said == [b"%d" % number for number in range(12)] else None
