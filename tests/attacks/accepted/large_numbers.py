# Honest: numbers beyond sixty-four bits.
# task: factorial
import math


def solve(n):
    return math.factorial(n)
