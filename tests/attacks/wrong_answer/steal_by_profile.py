# Attack: a profiler sees every call and return of the process, the worker's too.
# task: oracle
import sys
import threading

seen = []


def look(frame, event, arg):
    seen.append(repr(arg)[:500])
    seen.append(repr(frame.f_locals)[:500])


sys.setprofile(look)
threading.setprofile(look)


def solve(word):
    at = " ".join(seen).partition(f"ORACLE:{word}:")
    return at[1] + at[2][:12]
