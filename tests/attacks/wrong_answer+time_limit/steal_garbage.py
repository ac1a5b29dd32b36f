# Attack: the expected value is looked for in everything the collector knows.
# task: oracle
# runs: always
import gc


def solve(word):
    start = f"ORACLE:{word}:"
    for thing in gc.get_objects():
        for inner in gc.get_referents(thing):
            if type(inner) is str and inner.startswith(start) and inner != start:
                return inner
    return None
