"""Scores a plan of lanterns: whether it lights every house, and with how few.

Whatever was submitted gets points, 0 if need be. Distances are compared in whole numbers, so that no machine rounds them.
"""

import json

DEAR = 400  # points for each lantern that could have been spared


def score(submission, truth):
    with open(submission) as file:
        plan = json.load(file).get("lanterns")
    with open(truth) as file:
        town = json.load(file)
    wrong = what_is_wrong(plan, town["sites"])
    if wrong:
        return {
            "correctness": {"score": 0, "reason": wrong},
            "precision": {"score": 0, "reason": wrong},
        }
    stand = [town["sites"][name] for name in plan]
    dark = [
        name
        for name, place in town["houses"].items()
        if not any(lit(place, post, town["reach"]) for post in stand)
    ]
    houses, best, used = len(town["houses"]), town["best"], len(plan)
    share = {
        "score": 1000 * (houses - len(dark)) / houses,
        "reason": f"{houses - len(dark)} of {houses} houses are lit",
    }
    fewer = {
        "score": max(0, 1000 - DEAR * max(0, used - best)),
        "reason": f"{used} lanterns; {best} are enough",
    }
    return {"correctness": share, "precision": fewer}


def what_is_wrong(plan, sites):
    if not isinstance(plan, list) or not plan:
        return "'lanterns' is no list of sites"
    if not all(isinstance(name, str) and name in sites for name in plan):
        return "a lantern stands where there is no site"
    if len(set(plan)) < len(plan):
        return "two lanterns stand at one site"
    return ""


def lit(house, post, reach):
    return (house[0] - post[0]) ** 2 + (house[1] - post[1]) ** 2 <= reach**2
