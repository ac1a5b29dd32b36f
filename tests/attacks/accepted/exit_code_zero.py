# Honest: a program that answers and then leaves by its own exit.
# task: sum
import sys

print(sum(map(int, sys.stdin.buffer.read().split())))
sys.exit(0)
