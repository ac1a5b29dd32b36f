# Honest: a complete answer, and then an exit with code 0.
# task: sum
import sys

for line in sys.stdin:
    sys.stdout.write(f"{sum(map(int, line.split()))}\n")
    sys.stdout.flush()
exit(0)
