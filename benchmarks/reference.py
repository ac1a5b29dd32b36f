"""How fast entries are matched with references, beside a plain loop of ``==``, in one process.

    python benchmarks/reference.py [--smoke] [--entries 100000] [--rounds 5] [--json]

Half of the entries have an exact reference, half select from a list of six; half are right, and the others are wrong
or right in part. Every contender takes its turn in each round, and the median is shown. The plain loop only
says equal or not: no normal form, no share for a part, no reason.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from steelyard.reference import match_entry, parse_reference, score_solution

WORDS = Path(__file__).with_name("scoring_data.toml")
QUESTIONS = 10
# So many entries are meant to take less than a second.
LIMIT_ENTRIES, LIMIT_SECONDS = 100_000, 1.0
LIMITED = ("references read before", "references as text")


class Asked(NamedTuple):
    """An entry, its reference as it is written, the answer that a plain loop compares with, and its worth."""

    reference: str
    entry: str | list[str]
    plain: str | list[str]
    value: float


def main() -> None:
    given = options()
    entries = make_entries(given.entries, random.Random(given.seed))
    contenders = make_contenders(entries)
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(given.rounds):
        for name, run in contenders.items():
            began = time.perf_counter()
            values = run()
            taken[name].append(time.perf_counter() - began)
            # Speed is worth nothing where the values are wrong.
            if name != "plain loop" and values != expected(name, entries):
                sys.exit(f"{name} did not give every entry what it is worth")
    medians = {name: statistics.median(times) for name, times in taken.items()}
    print(as_json(medians, len(entries)) if given.json else as_table(medians, len(entries)))


def make_entries(count: int, dice: random.Random) -> list[Asked]:
    """Exact and select in turn."""
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))["words"]
    make = [lambda: make_exact(words, dice), lambda: make_select(words, dice)]
    return [make[n % 2]() for n in range(count)]


def make_exact(words: dict[str, list[str]], dice: random.Random) -> Asked:
    right, wrong = (
        f"{dice.choice(words['adjective'])} {noun}" for noun in dice.sample(words["noun"], 2)
    )
    if dice.random() < 0.5:
        return Asked(right, f" {right}." if dice.random() < 0.2 else right, right, 1.0)
    return Asked(right, wrong, right, 0.0)


def make_select(words: dict[str, list[str]], dice: random.Random) -> Asked:
    drawn = dice.sample([*words["noun"], *words["person"]], 9)
    listed, others = drawn[:6], drawn[6:]
    right = 3 if dice.random() < 0.5 else dice.randrange(3)
    entry = [*listed[:right], *others[: 3 - right]]
    dice.shuffle(entry)
    written = json.dumps(listed) if dice.random() < 0.5 else repr(listed)
    return Asked(f"<select3,1,4>{written}", entry, listed[:3], right / 3)


def make_contenders(entries: list[Asked]) -> dict[str, Callable[[], list[float | None]]]:
    """Each gives a value for every entry, but the last one for every ten."""
    parsed = [(parse_reference(asked.reference), asked.entry) for asked in entries]
    documents = [document(entries[n : n + QUESTIONS]) for n in range(0, len(entries), QUESTIONS)]
    return {
        "plain loop": lambda: [float(asked.entry == asked.plain) for asked in entries],
        "references read before": lambda: [
            match_entry(wanted, entry).value for wanted, entry in parsed
        ],
        "references as text": lambda: [
            match_entry(asked.reference, asked.entry).value for asked in entries
        ],
        "whole solutions": lambda: [
            score_solution(given, wanted).value for given, wanted in documents
        ],
    }


def document(asked: list[Asked]) -> tuple[dict[str, object], dict[str, object]]:
    """Some entries as a solution and its reference solution."""
    return (
        {"answer": {str(n): one.entry for n, one in enumerate(asked)}},
        {"answer": {str(n): one.reference for n, one in enumerate(asked)}},
    )


def expected(name: str, entries: list[Asked]) -> list[float]:
    values = [asked.value for asked in entries]
    if name != "whole solutions":
        return values
    # A third is counted as a third, and rounded once.
    thirds = [round(value * 3) for value in values]
    groups = [thirds[n : n + QUESTIONS] for n in range(0, len(thirds), QUESTIONS)]
    return [sum(group) / (3 * len(group)) for group in groups]


def as_table(medians: dict[str, float], count: int) -> str:
    lines = [
        f"{f'{count:,} entries':26}{'seconds':>10}{'entries/s':>14}{'times plain':>13}{'limit':>9}"
    ]
    for name, seconds in medians.items():
        limit = f"{LIMIT_SECONDS * count / LIMIT_ENTRIES:.3g} s" if name in LIMITED else "–"
        ratio = seconds / medians["plain loop"]
        lines.append(f"{name:26}{seconds:>10.3f}{count / seconds:>14,.0f}{ratio:>13.1f}{limit:>9}")
    return "\n".join(lines)


def as_json(medians: dict[str, float], count: int) -> str:
    plain = medians["plain loop"]
    rows = [
        {"name": name, "entries": count, "seconds": seconds, "times_plain": seconds / plain}
        for name, seconds in medians.items()
    ]
    return json.dumps(rows, indent=2)


def options() -> argparse.Namespace:
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("--entries", type=int, default=LIMIT_ENTRIES)
    parser.add_argument(
        "--rounds", type=int, default=5, help="turns of each contender; medians are shown"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON array")
    parser.add_argument("--smoke", action="store_true", help="few entries, one round")
    given = parser.parse_args()
    if given.smoke:
        given.entries, given.rounds = 5_000, 1
    return given


if __name__ == "__main__":
    main()
