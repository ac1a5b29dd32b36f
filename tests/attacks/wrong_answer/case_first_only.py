# Attack: the answer to the first case is given to all.
# task: add
answers = []


def solve(a, b):
    answers.append(a + b)
    return answers[0]
