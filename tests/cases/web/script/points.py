import json


def score(submission, truth):
    with open(submission) as one, open(truth) as other:
        points, known = json.load(one).get("points"), json.load(other)
    return {"correctness": points, "precision": known["precision"]}
