# Honest: output without a newline at its end.
# task: sum
import sys
d=sys.stdin.read().split()
sys.stdout.write(str(int(d[0])+int(d[1])))
