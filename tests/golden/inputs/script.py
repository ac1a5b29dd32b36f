def score(submission, truth):
    right = [a == b for a, b in zip(submission["answers"], truth["answers"], strict=False)]
    return {"correctness": 1000 * sum(right) // len(truth["answers"]), "precision": 333}
