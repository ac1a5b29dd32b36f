# Attack: whenever garbage is collected, a callback looks at whoever is at work.
# task: oracle
import gc
import sys

seen = []


def look(phase, info):
    frame = sys._getframe(1)
    while frame:
        seen.append(repr(frame.f_locals)[:2000])
        frame = frame.f_back


gc.callbacks.append(look)
gc.set_threshold(1, 1, 1)


def solve(word):
    at = " ".join(seen).partition(f"ORACLE:{word}:")
    return at[1] + at[2][:12]
