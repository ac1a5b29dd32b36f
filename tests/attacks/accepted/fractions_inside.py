# Honest: exact numbers on the way to a float.
# task: mean
from fractions import Fraction
from statistics import fmean


def solve(values):
    exact = sum((Fraction(value) for value in values), Fraction()) / len(values)
    return float(exact) if abs(float(exact) - fmean(values)) < 1e-12 else None
