# Attack: a default that is never made.
# task: legacy_oracle
from collections import defaultdict
def f():
    while True: pass
def solve(word):
    return defaultdict(f)
