"""Repeated runs of one or more settings: the mean over runs, and how far the runs lie apart."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.batch.reference.run_folders import RunFolder
from steelyard.batch.reference.summary import ReferenceSummary, mean
from steelyard.metrics.clusters import default_interval

FORMAT = "steelyard.reference.runs/1"


class RunLine(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a setting."""

    n: int
    folder: str
    mean: float | None
    answer_mean: float | None
    explanation_mean: float | None
    scored: int
    total: int
    worst: float | None
    best: float | None
    missing: int
    malformed: int
    skipped: int
    compat_mean: float | None = None


class SettingSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The runs of one setting: the mean of their means, and the spread (the sample standard deviation).

    One run has no spread. ``counted`` runs have a mean. The interval is over the problems of all
    runs, clustered by problem; Wilson's or Student's where there is one run.
    """

    setting: str
    runs: int
    counted: int
    mean: float | None
    spread: float | None
    lowest: float | None
    highest: float | None
    ci_lower: float | None
    ci_upper: float | None
    interval: str | None
    answer_mean: float | None
    answer_spread: float | None
    explanation_mean: float | None
    explanation_spread: float | None
    compat_mean: float | None
    compat_spread: float | None
    scored: int
    total: int
    lines: tuple[RunLine, ...]


class RunsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All settings, each with its runs."""

    format: str = FORMAT
    pattern: str
    settings: tuple[SettingSummary, ...]
    warnings: tuple[str, ...] = ()
    exit_code: int = 0

    def to_json(self) -> bytes:
        """The summary as one JSON object for a reader."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def summarise_runs(pattern: str, runs: Sequence[tuple[RunFolder, ReferenceSummary]]) -> RunsSummary:
    """The runs by setting, in the order in which they come."""
    by_setting: dict[str, list[tuple[RunFolder, ReferenceSummary]]] = {}
    for folder, summary in runs:
        by_setting.setdefault(folder.setting, []).append((folder, summary))
    settings = tuple(_setting(name, found) for name, found in by_setting.items())
    codes = {summary.exit_code for _, summary in runs}
    code = next((code for code in (130, 2, 1) if code in codes), 0)
    warnings = (*_warnings(settings), *_bounds(settings))
    return RunsSummary(pattern=pattern, settings=settings, warnings=warnings, exit_code=code)


def _line(folder: RunFolder, summary: ReferenceSummary) -> RunLine:
    return RunLine(
        n=int(folder.n),
        folder=folder.path,
        mean=summary.mean,
        answer_mean=summary.answer_mean,
        explanation_mean=summary.explanation_mean,
        scored=summary.scored,
        total=summary.total,
        worst=summary.worst,
        best=summary.best,
        missing=summary.missing,
        malformed=summary.malformed,
        skipped=summary.skipped,
        compat_mean=summary.compat.mean if summary.compat else None,
    )


def _setting(name: str, runs: Sequence[tuple[RunFolder, ReferenceSummary]]) -> SettingSummary:
    lines = [_line(folder, summary) for folder, summary in runs]
    means = [line.mean for line in lines if line.mean is not None]
    answers, explanations = (
        [line.answer_mean for line in lines],
        [line.explanation_mean for line in lines],
    )
    compat = [line.compat_mean for line in lines]
    return SettingSummary(
        setting=name,
        runs=len(lines),
        counted=len(means),
        mean=mean(means),
        spread=spread(means),
        lowest=min(means, default=None),
        highest=max(means, default=None),
        **_bounds_over_problems([summary for _, summary in runs], mean(means)),
        answer_mean=mean(answers),
        answer_spread=spread(answers),
        explanation_mean=mean(explanations),
        explanation_spread=spread(explanations),
        compat_mean=mean(compat),
        compat_spread=spread(compat),
        scored=sum(line.scored for line in lines),
        total=sum(line.total for line in lines),
        lines=tuple(lines),
    )


def _bounds_over_problems(
    summaries: Sequence[ReferenceSummary], average: float | None
) -> dict[str, Any]:
    """The interval over the problems of all runs; it always holds the mean of the runs' means."""
    scored = [
        (line.value, line.id)
        for summary in summaries
        for line in summary.problems
        if line.value is not None
    ]
    if average is None or not scored:
        return {"ci_lower": None, "ci_upper": None, "interval": None}
    found = default_interval([value for value, _ in scored], [name for _, name in scored])
    if found.lower is None or found.upper is None:
        return {"ci_lower": None, "ci_upper": None, "interval": None}
    return {
        "ci_lower": min(found.lower, average),
        "ci_upper": max(found.upper, average),
        "interval": found.method,
    }


def spread(values: Sequence[float | None]) -> float | None:
    """The sample standard deviation; fewer than two values have none.

    >>> spread([0.5, 1.0, None]), spread([0.5])
    (0.3535533905932738, None)
    """
    known = [value for value in values if value is not None]
    return statistics.stdev(known) if len(known) > 1 else None


def _warnings(settings: Sequence[SettingSummary]) -> tuple[str, ...]:
    """Runs over unlike numbers of problems are not repeats of one another."""
    totals = {line.total for setting in settings for line in setting.lines}
    if len(totals) < 2:
        return ()
    return (f"the runs do not have the same number of problems: {min(totals)} to {max(totals)}",)


def _bounds(settings: Sequence[SettingSummary]) -> tuple[str, ...]:
    """A run that lacks scores has a mean that could be another one."""
    lacking = [
        (f"{setting.setting} run {line.n}".strip(), line)
        for setting in settings
        for line in setting.lines
        if line.scored < line.total
    ]
    return tuple(
        f"{name}: {line.scored} of {line.total} problems have a score; over all of them the mean could be from "
        f"{line.worst:.4f} to {line.best:.4f}"
        for name, line in lacking
        if line.worst is not None and line.best is not None
    )
