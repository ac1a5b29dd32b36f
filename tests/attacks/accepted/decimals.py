# Honest: exact decimals on the way to a float.
# task: mean
from decimal import Decimal


def solve(numbers):
    return float(sum(Decimal(str(n)) for n in numbers) / len(numbers))
