"""Small sums in words, in four categories: enough of them for a comparison to say something."""

import random

from steelyard import benchmark, numeric_match, scorer

RNG = random.Random(11)
KINDS = {
    "addition": (
        "A clerk writes down {a} and {b} pounds. How many pounds are that together?",
        lambda a, b: a + b,
    ),
    "subtraction": (
        "Of {a} pounds of flour {b} are sold. How many pounds are left?",
        lambda a, b: a - b,
    ),
    "multiplication": (
        "{a} sacks weigh {b} pounds each. What do they weigh together?",
        lambda a, b: a * b,
    ),
    "two steps": (
        "{a} sacks of {b} pounds, and one of 7 pounds: what do they weigh?",
        lambda a, b: a * b + 7,
    ),
}


def row(number):
    kind = list(KINDS)[number % len(KINDS)]
    a, b = RNG.randrange(20, 90), RNG.randrange(3, 20)
    words, result = KINDS[kind]
    return {
        "id": f"{kind}-{number}",
        "kind": kind,
        "question": words.format(a=a, b=b),
        "target": result(a, b),
    }


ROWS = [row(number) for number in range(320)]


@benchmark(
    name="ledger", dataset=ROWS, prompt="{question}", target_field="target", category_field="kind"
)
@scorer
def ledger(sample):
    return numeric_match(sample)
