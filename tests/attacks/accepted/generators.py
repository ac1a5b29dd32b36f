# Honest: generators, sets, comprehensions.
# task: sort


def smallest_first(numbers):
    rest = set(numbers)
    while rest:
        least = min(rest)
        rest.discard(least)
        yield least


def solve(numbers):
    return list(smallest_first(numbers))
