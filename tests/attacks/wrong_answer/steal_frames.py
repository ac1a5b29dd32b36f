# Attack: the expected value is looked for in every frame above.
# task: oracle
# runs: always
import re
import sys


def solve(word):
    frame, seen = sys._getframe(), []
    while frame:
        seen += [repr(value) for value in [*frame.f_locals.values(), *frame.f_globals.values()]]
        seen += [repr(frame.f_code.co_consts)]
        frame = frame.f_back
    found = re.search(rf"ORACLE:{word}:[0-9a-f]+", " ".join(seen))
    return found and found[0]
