"""A calendar of its own for each seed, with tests that count days in it.

The expected dates are found by arithmetic on day numbers. The answer that is handed to the gates walks from month to
month, so that two ways of counting have to agree before the challenge can be published.
"""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

BEGINNINGS = (
    "Ash",
    "Bell",
    "Cinder",
    "Dusk",
    "Ember",
    "Fen",
    "Glim",
    "Hollow",
    "Iron",
    "Juniper",
    "Kiln",
    "Lark",
    "Moss",
)
ENDINGS = ("", "fall", "mark", "moon", "rise", "tide", "wane")
CASES = {"within a year": 8, "years": 8, "far": 12}

WALKING = """
MONTHS = {months!r}
EVERY, EXCEPT, MONTH, MORE = {every!r}, {without!r}, {month!r}, {more!r}


def length(year, place):
    name, days = MONTHS[place]
    leap = year % EVERY == 0 and year % EXCEPT != 0
    return days + MORE if leap and name == MONTH else days


def later(date, days):
    year, name, day = date.split("/")
    year, day = int(year), int(day) + days
    place = [month for month, _ in MONTHS].index(name)
    while day > length(year, place):
        day -= length(year, place)
        place += 1
        if place == len(MONTHS):
            year, place = year + 1, 0
    while day < 1:
        place -= 1
        if place < 0:
            year, place = year - 1, len(MONTHS) - 1
        day += length(year, place)
    return f"{{year}}/{{MONTHS[place][0]}}/{{day}}"
"""


class Calendar(NamedTuple):
    """Months with their days, and which of them is longer in which years."""

    months: tuple[tuple[str, int], ...]
    every: int
    without: int
    month: str
    more: int

    def lengths(self, year: int) -> list[int]:
        """The days of each month of a year."""
        leap = year % self.every == 0 and year % self.without != 0
        return [days + self.more * (leap and name == self.month) for name, days in self.months]

    def number(self, year: int, place: int, day: int) -> int:
        """How many days a date lies after the first day of all."""
        before = year - 1
        leaps = before // self.every - before // self.without
        common = sum(days for _, days in self.months)
        return before * common + leaps * self.more + sum(self.lengths(year)[:place]) + day - 1

    def date(self, number: int) -> str:
        """The date that has this number."""
        year = 1 + number // (sum(days for _, days in self.months) + self.more)  # never too late
        while self.number(year + 1, 0, 1) <= number:
            year += 1
        left = number - self.number(year, 0, 1)
        for (name, _), days in zip(self.months, self.lengths(year), strict=True):
            if left < days:
                return f"{year}/{name}/{left + 1}"
            left -= days
        raise AssertionError("a year has an end")


def generate(seed: int) -> dict[str, Any]:
    """The calendar for this seed, hidden tests, and code that passes them."""
    dice = random.Random(seed)
    calendar = make_calendar(dice)
    cases = [case(calendar, group, dice) for group, count in CASES.items() for _ in range(count)]
    samples = [case(calendar, "years", dice) for _ in range(4)]
    told = {
        "months": [{"name": name, "days": days} for name, days in calendar.months],
        "leap": {
            "every": calendar.every,
            "except": calendar.without,
            "month": calendar.month,
            "days": calendar.more,
        },
    }
    shown = [
        {"date": one["args"][0], "days": one["args"][1], "gives": one["expected"]}
        for one in samples
    ]
    tests = {"kind": "function", "entry_point": "later", "cases": cases, "limits": {"wall_s": 2}}
    return {
        "files": {
            "calendar.json": json.dumps(told, indent=2) + "\n",
            "samples.json": json.dumps(shown, indent=2) + "\n",
        },
        "truth": {"tests": tests},
        "answer": {"code": WALKING.format(**calendar._asdict()).lstrip()},
    }


def make_calendar(dice: random.Random) -> Calendar:
    """Seven to twelve months with names that no two calendars share as a whole."""
    count = dice.randrange(7, 13)
    names = [first + dice.choice(ENDINGS) for first in dice.sample(BEGINNINGS, count)]
    every = dice.randrange(3, 8)
    months = tuple((name, dice.randrange(17, 42)) for name in names)
    return Calendar(
        months, every, every * dice.randrange(4, 10), dice.choice(names), dice.randrange(1, 4)
    )


def case(calendar: Calendar, group: str, dice: random.Random) -> dict[str, Any]:
    """A date, a number of days, and the date that lies so far from it."""
    year = dice.randrange(60, 400)
    place = dice.randrange(len(calendar.months))
    start = calendar.number(year, place, dice.randrange(1, calendar.lengths(year)[place] + 1))
    reach = {"within a year": (42, 150), "years": (400, 3_000), "far": (20_000, 90_000)}[group]
    days = dice.randrange(*reach) * dice.choice((-1, 1))
    if start + days < 0:
        days = -days
    return {
        "args": [calendar.date(start), days],
        "expected": calendar.date(start + days),
        "group": group,
    }
