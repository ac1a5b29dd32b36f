# Attack: the right answer comes first, then more than is allowed.
# task: sum
import sys

print(sum(map(int, input().split())), flush=True)
while True:
    sys.stderr.write("x" * 65536)
