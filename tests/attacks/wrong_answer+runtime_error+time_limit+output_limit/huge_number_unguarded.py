# Attack: the same, without the interpreter's limit on digits.
# task: add
import sys

sys.set_int_max_str_digits(0)


def solve(a, b):
    return -(7**900_000)
