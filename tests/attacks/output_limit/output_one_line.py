# Attack: one line of a hundred megabytes, then the right answer.
# task: sum
import sys

for _ in range(100):
    sys.stdout.write("x" * (1 << 20))
print(sum(map(int, input().split())))
