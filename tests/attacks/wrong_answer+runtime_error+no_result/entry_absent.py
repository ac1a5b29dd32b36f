# Attack: the function that is asked for does not exist.
# task: add


def solution(a, b):
    return a + b
