"""The top of a report: the headline with its interval, what became of the samples, and the facts of the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from steelyard.report.charts.interval import headline_chart
from steelyard.report.charts.outcomes import outcome_bar
from steelyard.report.gathered import Gathered
from steelyard.report.markup import Markup, joined, short, tag
from steelyard.report.run_sections import canary_rows, cross_check_rows, spent_rows
from steelyard.report.terminal import reading_rows

_METHODS = {"wilson": "Wilson", "student": "Student’s t", "clustered": "clustered"}


def home_link(address: str) -> Markup:
    """The way back to the list of runs; nothing for a page that stands alone."""
    return tag("p", tag("a", "← all runs", href=address), class_="home") if address else Markup("")


def headline(results: Mapping[str, Any], gathered: Gathered) -> Markup:
    """The number, big; how sure it is; how much of the run it is about."""
    head = results["headline"]
    value = tag("p", short(head["value"]), class_="value")
    number = tag("div", tag("h2", "Score"), value, _sure(head), class_="number")
    drawn = tag("div", headline_chart(head), _bounds(head), class_="drawn")
    bar = tag("div", _coverage(head), outcome_bar(gathered.outcomes), class_="coverage")
    return tag(
        "section", number, drawn, bar, facts(results), class_="headline", aria_label="Headline"
    )


def _sure(head: Mapping[str, Any]) -> Markup:
    if head["ci_lower"] is None:
        return tag("p", "no interval: too few scores", class_="quiet")
    method = _METHODS.get(str(head.get("interval")), str(head.get("interval") or ""))
    span = tag("b", f"{head['ci_lower']:.3f} – {head['ci_upper']:.3f}")
    return tag(
        "p",
        joined(["95% interval ", span]),
        tag("span", f" {method}", class_="quiet"),
        class_="sure",
    )


def _bounds(head: Mapping[str, Any]) -> Markup:
    if head["scored"] == head["total"] or head["worst"] is None:
        return Markup("")
    missing = head["total"] - head["scored"]
    whose = (
        "the sample without a score was wrong or right"
        if missing == 1
        else (f"the {missing:,} samples without a score were all wrong or all right")
    )
    words = f"If {whose}: "
    return tag(
        "p",
        words,
        tag("b", f"{head['worst']:.3f} to {head['best']:.3f}"),
        " (hatched).",
        class_="note",
    )


def _coverage(head: Mapping[str, Any]) -> Markup:
    whole = head["scored"] == head["total"]
    words = tag("b", f"{head['scored']:,} of {head['total']:,}")
    return tag(
        "h2",
        joined([words, " samples scored"]),
        tag("span", "" if whole else " – not all", class_="warn"),
    )


def facts(results: Mapping[str, Any]) -> Markup:
    """The facts of the run, each with its name."""
    head = results["headline"]
    rows: list[tuple[str, str]] = [
        ("Problems × repeats", f"{results['problems']:,} × {results['repeats']:,}")
    ]
    if head["accuracy"] is not None and head["accuracy"] != head["value"]:
        rows.append(
            ("Right", f"{head['correct']:,} of {head['scored']:,} ({short(head['accuracy'])})")
        )
    if results.get("judge"):
        rows.append(("Judge", str(results["judge"])))
    rows += [
        (name.capitalize(), value)
        for name, value in (
            *reading_rows(head.get("reading")),
            *cross_check_rows(results),
            *canary_rows(results),
            *spent_rows(results),
        )
    ]
    return tag(
        "dl",
        *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows),
        class_="facts",
    )
