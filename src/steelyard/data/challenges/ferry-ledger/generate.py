"""A ledger of crossings in which a clerk has altered amounts."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

FERRIES = ("Alder", "Bramble", "Curlew", "Drake")
CLERKS = ("Ansgar", "Birte", "Ciril", "Dagny", "Edda", "Frode")
COLUMNS = ("entry", "ferry", "departs", "adults", "children", "carts", "clerk", "amount")
ENTRIES = 80
GROUP, NIGHT = 10, 20


def generate(seed: int) -> dict[str, Any]:
    """The ledger for this seed, and what an auditor should find in it."""
    dice = random.Random(seed)
    fares = {
        ferry: {"adult": dice.randrange(101, 400), "cart": dice.randrange(401, 900)}
        for ferry in FERRIES
    }
    ledger = [crossing(number, dice) for number in range(1, ENTRIES + 1)]
    due = {row["entry"]: amount_due(row, fares[row["ferry"]]) for row in ledger}
    culprit = dice.choice(CLERKS)
    altered = alter(ledger, due, culprit, dice)
    truth = {"total": sum(due.values()), "altered": altered, "clerk": culprit}
    return {
        "files": {"fares.json": json.dumps(fares, indent=2) + "\n", "ledger.csv": as_csv(ledger)},
        "truth": truth,
    }


def crossing(number: int, dice: random.Random) -> dict[str, Any]:
    """One line of the ledger, still without its amount."""
    return {
        "entry": f"E{number:03}",
        "ferry": dice.choice(FERRIES),
        "departs": f"{dice.randrange(6, 24):02}:{dice.choice((0, 15, 30, 45)):02}",
        "adults": dice.randrange(1, 9),
        "children": dice.randrange(0, 6),
        "carts": dice.choice((0, 0, 0, 1, 1, 2)),
        "clerk": dice.choice(CLERKS),
    }


def amount_due(row: dict[str, Any], fare: dict[str, int]) -> int:
    """What the rules give, in cents."""
    persons = row["adults"] * fare["adult"] + row["children"] * (fare["adult"] // 2)
    if row["adults"] + row["children"] >= GROUP:
        persons = persons * 9 // 10
    amount = persons + row["carts"] * fare["cart"]
    return amount * 5 // 4 if int(row["departs"][:2]) >= NIGHT else amount


def alter(
    ledger: list[dict[str, Any]], due: dict[str, int], culprit: str, dice: random.Random
) -> list[str]:
    """Write the amounts, some of them wrong: the culprit's are more than those of anybody else."""
    own = [row for row in ledger if row["clerk"] == culprit]
    while (
        len(own) < 6
    ):  # a clerk who was hardly there cannot be the culprit: let him take over a few turns
        row = dice.choice([row for row in ledger if row["clerk"] != culprit])
        row["clerk"] = culprit
        own.append(row)
    slips = [row for row in ledger if row["clerk"] != culprit]
    wrong = [*dice.sample(own, dice.randrange(4, 7)), *dice.sample(slips, 2)]
    names = sorted(row["entry"] for row in wrong)
    for row in ledger:
        row["amount"] = due[row["entry"]]
        if row["entry"] in names:
            row["amount"] += dice.choice((-1, 1)) * dice.choice((1, 9, 10, 90, 100, 180, 270))
    return names


def as_csv(ledger: list[dict[str, Any]]) -> str:
    """The ledger as the harbour keeps it."""
    written = io.StringIO()
    writer = csv.DictWriter(written, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(ledger)
    return written.getvalue()
