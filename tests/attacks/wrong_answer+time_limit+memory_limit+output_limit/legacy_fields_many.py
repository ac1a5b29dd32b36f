# Attack: thousands of classes of named tuples.
# task: legacy_oracle
from collections import namedtuple
def solve(word):
    return [namedtuple('P%d'%i,'a b')(1,2) for i in range(20000)]
