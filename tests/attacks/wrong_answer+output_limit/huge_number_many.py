# Attack: many numbers, each just below the limit on digits.
# task: sort


def solve(numbers):
    return [10**4000 + n for n in range(200)]
