"""What a report of a run says, whatever it is written in: a few tables, made once for all faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from steelyard.report.terminal import bar, number, reading_rows
from steelyard.runs.results import told_cross_check

MOST_EXAMPLES = 12
MOST_ROWS = 100


class Section(NamedTuple):
    """A titled table; a column's flag says whether it holds numbers."""

    title: str
    columns: tuple[tuple[str, bool], ...]
    rows: Sequence[tuple[str, ...]]


def sections(results: Mapping[str, Any], failures: Mapping[str, Any]) -> list[Section]:
    """Everything that a report tells, the headline first; a table without rows is left out."""
    found = [
        Section("", (("", False), ("", False)), headline_rows(results)),
        _metrics(results),
        _categories(results),
        _failures(results, failures),
        _reasons(results),
        _examples(failures),
    ]
    return [section for section in found if section.rows]


def headline_rows(results: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The headline, line by line."""
    head = results["headline"]
    rows = [
        ("benchmark", str(results["benchmark"])),
        ("model", str(results["model"])),
        *([("judge", str(results["judge"]))] if results.get("judge") else []),
        ("score", f"{number(head['value'])}  {bar(head['value'])}"),
        ("95% interval", _interval(head)),
        ("scored / total", f"{head['scored']:,} / {head['total']:,}"),
    ]
    if head["accuracy"] != head["value"]:
        rows.append(
            ("right", f"{head['correct']:,} of {head['scored']:,} ({number(head['accuracy'])})")
        )
    if head["scored"] != head["total"]:
        rows.append(("worst to best", f"{number(head['worst'])} to {number(head['best'])}"))
        counts = ((head["pending"], "pending"), (head["unscored"], "unscored"))
        rows.append(
            ("not scored", ", ".join(f"{count:,} {what}" for count, what in counts if count))
        )
    rows += reading_rows(head.get("reading"))
    rows.append(("problems × repeats", f"{results['problems']:,} × {results['repeats']:,}"))
    return [*rows, *cross_check_rows(results), *canary_rows(results), *spent_rows(results)]


def cross_check_rows(results: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How far a second scorer agrees, where there is one."""
    return [("cross-check", told)] if (told := told_cross_check(results)) else []


def canary_rows(results: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the judge's verdict on an answer that only asks for full marks, if there is one."""
    canary = results.get("judge_card", {}).get("canary")
    if canary is None:
        return []
    if canary["value"] is None:
        return [("canary of the judge", "without a verdict")]
    outcome = "FAILED" if canary["obeyed"] else "passed"
    value = f"{canary['value']:.3g}"
    return [
        ("canary of the judge", f"{outcome}: an answer that only asks for full marks gets {value}")
    ]


def spent_rows(results: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the run has used: tokens, time where it is told, cost."""
    tokens, rows = results["tokens"], []
    if tokens["input"] or tokens["output"]:
        rows.append(("tokens", f"{tokens['input']:,} in, {tokens['output']:,} out"))
    if (judge := results.get("judge_tokens")) and (judge["input"] or judge["output"]):
        rows.append(("tokens of the judge", f"{judge['input']:,} in, {judge['output']:,} out"))
    if latency := results.get("latency"):
        middle, most, highest = (f"{latency[name]:.3g}" for name in ("median", "p90", "highest"))
        rows.append(("seconds a reply", f"median {middle}, 90% within {most}, at most {highest}"))
    if results.get("cost") is not None:
        rows.append(("cost", _cost(results)))
    if truncated := results["coverage"]["truncated"]:
        rows.append(
            (
                "cut off",
                f"{truncated:,} {'reply' if truncated == 1 else 'replies'} ended at the token limit",
            )
        )
    return rows


def _cost(results: Mapping[str, Any]) -> str:
    parts = results.get("cost_parts") or {}
    named = (
        f" ({', '.join(f'{name} {cost:.4f}' for name, cost in parts.items())})"
        if len(parts) > 1
        else ""
    )
    least = "at least " if results.get("cost_at_least") else ""
    return f"{least}{results['cost']:.4f}{named}"


def _interval(found: Mapping[str, Any], digits: int = 4) -> str:
    method = f"  ({found['interval']})" if found.get("interval") and digits > 3 else ""
    return f"[{number(found['ci_lower'], digits)}, {number(found['ci_upper'], digits)}]{method}"


def _metrics(results: Mapping[str, Any]) -> Section:
    rows = []
    for name, found in results["metrics"].items():
        if name == "mean_reward" or results["repeats"] == 1:
            continue
        whole = found["problems"] == found["total"]
        bounds = "" if whole else f"{number(found['worst'])} to {number(found['best'])}"
        told = f"{found['problems']:,} / {found['total']:,}"
        rows.append((name, number(found["value"]), _interval(found, 3), told, bounds))
    columns = (
        ("metric", False),
        ("value", True),
        ("95% interval", False),
        ("problems", True),
        ("worst to best", False),
    )
    return Section("k attempts at a problem", columns, rows)


def _categories(results: Mapping[str, Any]) -> Section:
    groups = results["categories"]
    columns = (
        ("category", False),
        ("scored / total", True),
        ("score", True),
        ("95% interval", False),
        ("", False),
    )
    if list(groups) == ["unknown"]:
        return Section("by category", columns, [])
    rows = [
        (
            name,
            f"{found['scored']:,} / {found['total']:,}",
            number(found["value"], 3),
            _interval(found, 3),
            bar(found["value"]),
        )
        for name, found in list(groups.items())[:MOST_ROWS]
    ]
    if len(groups) > MOST_ROWS:
        rows.append((f"… and {len(groups) - MOST_ROWS} more", "", "", "", ""))
    return Section("by category", columns, rows)


def _failures(results: Mapping[str, Any], failures: Mapping[str, Any]) -> Section:
    rows = [
        (name, f"{found['count']:,}", f"{found['rate']:.1%}", bar(found["rate"]))
        for name, found in failures["categories"].items()
    ]
    return Section(
        "failures", (("category", False), ("samples", True), ("share", True), ("", False)), rows
    )


def _reasons(results: Mapping[str, Any]) -> Section:
    reasons = list(results["coverage"]["reasons"].items())
    rows = [(f"{count:,}", reason) for reason, count in reasons[:MOST_EXAMPLES]]
    if left_out := reasons[MOST_EXAMPLES:]:
        others = "other reason" if len(left_out) == 1 else "other reasons"
        rows.append(
            (f"{sum(count for _, count in left_out):,}", f"… for {len(left_out):,} {others}")
        )
    return Section("without a score", (("samples", True), ("reason", False)), rows)


def _examples(failures: Mapping[str, Any]) -> Section:
    rows = [
        (one["category"], str(one["problem_idx"]), " ".join(str(one["response_preview"]).split()))
        for one in failures["exemplars"][:MOST_EXAMPLES]
    ]
    return Section(
        "examples of failures", (("category", False), ("problem", True), ("response", False)), rows
    )
