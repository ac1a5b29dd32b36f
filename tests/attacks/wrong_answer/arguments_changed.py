# Attack: the arguments are changed, in case the expected value is made from the same objects.
# task: sort


def solve(numbers):
    numbers.clear()
    return numbers
