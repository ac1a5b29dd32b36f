"""The results of the scoring benchmark as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

COMMAND, ONE_WORKER, PLAIN = "steelyard score", "steelyard score, --workers 1", "plain loop"
HEADS = {
    "rows/s": 10,
    "CPU µs/row": 12,
    "× plain": 9,
    "limit": 7,
    "peak MB": 9,
    "right verdicts": 16,
}


class Contender(NamedTuple):
    """What one contender reached on a file.

    ``cpu`` is in microseconds a row, without start-up; ``ratio`` divides it by the plain loop's.
    Both are None where the file is too small to tell rows from start-up. ``agree`` is the share of
    its verdicts that are right.
    """

    name: str
    rows: int
    rate: float
    cpu: float | None
    ratio: float | None
    megabytes: float
    agree: float


class Trial(NamedTuple):
    """All contenders on one file; ``limit`` is the highest ratio that the command should have."""

    scorer: str
    shape: str
    rows: int
    bytes_a_row: float
    limit: float
    contenders: list[Contender]

    def contender(self, name: str) -> Contender:
        """Return the contender with a name."""
        return next(one for one in self.contenders if one.name == name)


class Slowest(NamedTuple):
    """The slowest hostile text of a scorer: CPU time, its unit and where the unit stands."""

    scorer: str
    seconds: float
    unit: str
    place: str
    stopped: bool


def trial_text(trial: Trial) -> str:
    """Return a trial as lines of text."""
    lines = [
        f"{trial.scorer}: {trial.rows:,} {trial.shape} rows of {trial.bytes_a_row:,.0f} bytes",
        f"  {'':50}" + "".join(f"{head:>{width}}" for head, width in HEADS.items()),
    ]
    for one in trial.contenders:
        limit = f"{trial.limit:g}" if one.name in {COMMAND, ONE_WORKER} else ""
        memory = f"{one.megabytes:.0f}" if one.megabytes else "–"
        lines.append(
            f"  {one.name:50}{one.rate:>10,.0f}{_decimal(one.cpu, 1):>12}"
            f"{_decimal(one.ratio, 2):>9}{limit:>7}{memory:>9}{one.agree:>16.2%}"
        )
    return "\n".join(lines) + "\n"


def _decimal(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def summary_text(trials: Sequence[Trial]) -> str:
    """Return one Markdown table with a line for each trial."""
    heads = [
        "rows",
        "CPU a row, × plain loop",
        "with --workers 1",
        "limit",
        "CPU a row",
        "rows/s",
        "peak",
        "right verdicts",
        "plain loop's",
    ]
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    for trial in trials:
        ours, plain = trial.contender(COMMAND), trial.contender(PLAIN)
        over = " (over)" if ours.ratio and ours.ratio > trial.limit else ""
        cells = [
            f"{trial.scorer}, {trial.shape}, {trial.rows:,}",
            f"{_decimal(ours.ratio, 2)}{over}",
            _decimal(trial.contender(ONE_WORKER).ratio, 2),
            f"{trial.limit:g}",
            f"{_decimal(ours.cpu, 1)} µs",
            f"{ours.rate:,.0f}",
            f"{ours.megabytes:.0f} MB",
            f"{ours.agree:.2%}",
            f"{plain.agree:.0%}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def slowest_text(slowest: Slowest, limit: float) -> str:
    """Return the slowest text of a scorer as a line."""
    sign = ">" if slowest.stopped else " "
    over = ", over" if slowest.seconds > limit else ""
    return (
        f"  {slowest.scorer:20}{sign}{slowest.seconds:.2f} s (limit {limit:g} s{over})   "
        f"{slowest.unit!r} {slowest.place}"
    )


def as_json(trials: Sequence[Trial], slowest: Sequence[Slowest]) -> str:
    """Return everything as one JSON object."""
    measured = [
        {**trial._asdict(), "contenders": [one._asdict() for one in trial.contenders]}
        for trial in trials
    ]
    found = {"trials": measured, "hostile": [one._asdict() for one in slowest]}
    return json.dumps(found, indent=2)
