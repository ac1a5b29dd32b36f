# Attack: a list that contains itself.
# task: sort


def solve(numbers):
    numbers.append(numbers)
    return numbers
