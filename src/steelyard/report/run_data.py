"""The summary of a run for other programs: JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from steelyard.report.cells import csv_text

Told = Mapping[str, Any]
COLUMNS = (
    "section",
    "name",
    "value",
    "ci_lower",
    "ci_upper",
    "interval",
    "scored",
    "pending",
    "unscored",
    "total",
    "correct",
    "worst",
    "best",
    "count",
)


def run_json(results: Told, failures: Told, latency: Told | None = None) -> str:
    """Everything that the other faces tell, as one JSON object: ``results.json`` with the failures inside."""
    told = {**results, "failures": failures, **({"latency": latency} if latency else {})}
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode("utf-8") + "\n"


def run_csv(results: Told, failures: Told, latency: Told | None = None) -> str:
    """A row for each number of the summary; a column that does not apply is empty.

    A name that a spreadsheet would take for a formula has an apostrophe before it.
    """
    return csv_text(COLUMNS, _rows(results, failures, latency or {}))


def _rows(results: Told, failures: Told, latency: Told) -> Iterator[dict[str, Any]]:
    about = ("benchmark", "model", "judge", "signature", "problems", "repeats", "cost")
    yield from (
        {"section": "run", "name": name, "value": results[name]}
        for name in about
        if results.get(name) is not None
    )
    yield {"section": "headline", "name": "score", **results["headline"]}
    reading = dict(results["headline"].get("reading", {}))
    judge = {f"judge_{name}": count for name, count in reading.pop("judge", {}).items()}
    for name, count in (reading | judge).items():
        column = "value" if "mean" in name else "count"
        yield {"section": "reading", "name": name, column: count}
    yield from _grouped(results)
    for name, found in failures["categories"].items():
        yield {"section": "failure", "name": name, "value": found["rate"], "count": found["count"]}
    for reason, count in results["coverage"]["reasons"].items():
        yield {"section": "without a score", "name": reason, "count": count}
    yield from (
        {"section": "tokens", "name": name, "value": results["tokens"][name]}
        for name in ("input", "output", "untold")
    )
    yield from (
        {"section": "latency", "name": name, "value": value} for name, value in latency.items()
    )


def _grouped(results: Told) -> Iterator[dict[str, Any]]:
    for name, found in results["metrics"].items():
        yield {"section": "metric", "name": name, **found, "scored": found.get("problems", "")}
    for found in results.get("learning_curve", ()):
        yield {"section": "attempt", "name": str(found["attempt"]), **found}
    for name, found in results["categories"].items():
        yield {"section": "category", "name": name, **found}
