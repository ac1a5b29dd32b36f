"""The results of the benchmark as tables, as Markdown, or as JSON."""

from __future__ import annotations

import json
from typing import NamedTuple


class Contender(NamedTuple):
    """What one contender reached; ``cpu`` is in microseconds a row, ``agree`` the share of right verdicts."""

    name: str
    rows: int
    rate: float
    cpu: float
    megabytes: float
    agree: float


class Trial(NamedTuple):
    """All contenders on one file; the first is ours. ``steps`` are microseconds a row inside one process."""

    scorer: str
    kind: str
    rows: int
    limit: int
    contenders: list[Contender]
    steps: dict[str, float]

    def ratio(self, other: Contender) -> float:
        """How many times as fast as the other we are."""
        return self.contenders[0].rate / other.rate


def show(trial: Trial) -> str:
    """The trial as lines of text."""
    heads = ("rows/s", "CPU µs/row", "peak MB", "we are", "right verdicts")
    lines = [
        f"{trial.scorer}: {trial.rows:,} {trial.kind} answers",
        f"  {'':56}{heads[0]:>10}{heads[1]:>12}{heads[2]:>9}{heads[3]:>10}{heads[4]:>16}",
    ]
    for one in trial.contenders:
        memory = f"{one.megabytes:.0f}" if one.megabytes else "–"
        ratio = "" if one is trial.contenders[0] else f"{trial.ratio(one):,.2f} ×"
        lines.append(
            f"  {one.name:56}{one.rate:>10,.0f}{one.cpu:>12.1f}{memory:>9}{ratio:>10}"
            f"{one.agree:>16.2%}"
        )
    return "\n".join([*lines, *limits(trial)]) + "\n"


def limits(trial: Trial) -> list[str]:
    """What a row costs, step by step, and how near the rate is to what is wanted."""
    total = sum(trial.steps.values())
    costly = sorted(trial.steps.items(), key=lambda item: -item[1])
    told = ", ".join(f"{step} {spent:.1f}" for step, spent in costly)
    most = costly[0]
    lines = [
        f"  µs a row in one process: {told}; {most[0]} is {most[1] / total:.0%} of {total:.1f}"
    ]
    if trial.limit:
        lines.append(
            f"  wanted {trial.limit:,} rows/s: {trial.contenders[0].rate / trial.limit:.0%} reached"
        )
    return lines


def shown_as_json(trials: list[Trial]) -> str:
    """The trials as a JSON array."""
    told = [
        {
            **trial._asdict(),
            "contenders": [
                {**one._asdict(), "we_are_times": trial.ratio(one)} for one in trial.contenders
            ],
        }
        for trial in trials
    ]
    return json.dumps(told, indent=2)


def shown_as_markdown(trials: list[Trial]) -> str:
    """The trials as one table of ratios, which mean something on other machines too."""
    others = ("plain loop", "plain loop, 2 processes", "in memory", ".eval to .eval")
    heads = [
        "answers",
        *others[:2],
        "inspect-ai in memory",
        "inspect-ai from log to log",
        "CPU beside the plain loop",
        "peak",
        "right",
        "plain loop right",
    ]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for trial in trials:
        found = [_called(trial, name) for name in others]
        ratios = [f"{trial.ratio(one):,.2f} ×" if one else "–" for one in found]
        ours, plain = trial.contenders[0], trial.contenders[1]
        cells = [
            f"{trial.scorer}, {trial.kind}",
            *ratios,
            f"{ours.cpu / plain.cpu:.1f} ×",
            f"{ours.megabytes:.0f} MB",
            f"{ours.agree:.2%}",
            f"{plain.agree:.0%}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _called(trial: Trial, name: str) -> Contender | None:
    """The contender of that name; before a peer's way stand its version and scorer."""
    return next(
        (one for one in trial.contenders if one.name == name or one.name.endswith(f", {name}")),
        None,
    )
