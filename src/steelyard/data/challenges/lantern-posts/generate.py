"""A town whose houses stand around a few sites that light them all, among many other sites."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

WIDTH, REACH = 100, 16
APART = 20  # paces between two sites of the plan, so that none of them can be spared easily
DECOYS = 70
Place = tuple[int, int]


def generate(seed: int) -> dict[str, Any]:
    """The town for this seed, and the plan that it was built around."""
    dice = random.Random(seed)
    plan = spread(dice, dice.randrange(11, 15))
    houses = [near(post, dice) for post in plan for _ in range(dice.randrange(5, 9))]
    sites = list(dict.fromkeys([*plan, *(between(plan, dice) for _ in range(DECOYS))]))
    for things in (houses, sites):
        dice.shuffle(things)
    named = {f"S{number:02}": place for number, place in enumerate(sites, 1)}
    homes = {f"H{number:02}": place for number, place in enumerate(houses, 1)}
    town = {"reach": REACH, "houses": homes, "sites": named}
    answer = sorted(name for name, place in named.items() if place in plan)
    return {
        "files": {"town.json": json.dumps(town, indent=1) + "\n"},
        "truth": {**town, "best": len(plan)},
        "answer": {"lanterns": answer},
    }


def spread(dice: random.Random, count: int) -> list[Place]:
    """So many places, none of them close to another; where they leave no room for the next, all over again."""
    chosen: list[Place] = []
    for tried in itertools.count(1):
        place = somewhere(dice)
        if all(distance(place, other) >= APART**2 for other in chosen):
            chosen.append(place)
        if len(chosen) == count:
            break
        if tried % 1000 == 0:
            chosen.clear()
    return chosen


def near(post: Place, dice: random.Random) -> Place:
    """A place that a lantern at the post lights, far from the post rather than close to it."""
    while True:
        place = (post[0] + dice.randint(-REACH, REACH), post[1] + dice.randint(-REACH, REACH))
        if REACH**2 // 3 <= distance(place, post) <= REACH**2:
            return place


def between(plan: list[Place], dice: random.Random) -> Place:
    """A site that lights houses of two posts, and so looks better than it is."""
    one = dice.choice(plan)
    other = min(
        (post for post in plan if post != one),
        key=lambda post: (distance(post, one) * dice.random(), post),
    )
    return (one[0] + other[0]) // 2 + dice.randint(-5, 5), (one[1] + other[1]) // 2 + dice.randint(
        -5, 5
    )


def somewhere(dice: random.Random) -> Place:
    return dice.randrange(WIDTH), dice.randrange(WIDTH)


def distance(one: Place, other: Place) -> int:
    """The square of it, which is a whole number."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
