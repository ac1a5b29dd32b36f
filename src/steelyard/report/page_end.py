"""The end of a report: what is known of the judge, what changed on the way, and how to compute the numbers again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from steelyard.report.markup import Markup, joined, tag
from steelyard.report.page_tables import card, whisker_table

_ANSWERS = (
    ("agreement", "agrees with the labels"),
    ("tpr", "says right where the label does"),
    ("tnr", "says wrong where the label does"),
    ("kappa", "kappa (beyond chance)"),
)
_PAIRS = (
    ("agreement", "agrees about pairs"),
    ("kappa", "kappa, pairs"),
    ("flipped", "changes with the order"),
    ("first_shown", "prefers the one shown first"),
)


def calibrated(found: Mapping[str, Any] | None, judge: str | None = None) -> Iterator[Markup]:
    """How far the judge agrees with labels, from a calibration; ``judge`` is the one that the run asked."""
    parts = [(found or {}).get(part) for part in ("answers", "comparisons")]
    rows = [*_rates(parts[0], _ANSWERS), *_rates(parts[1], _PAIRS)]
    if not found or not rows:
        return
    held = found.get("judge")
    held = held if isinstance(held, Mapping) else {}
    name = held.get("name") or held.get("model")
    counts = [part.get("judged") for part in parts if isinstance(part, Mapping)]
    labels = sum(count for count in counts if isinstance(count, int))
    yield card(
        "Calibration of the judge",
        whisker_table("what", rows, value="value"),
        note=f"{name or 'the judge'}, held against {labels:,} labels.{_another(held, name, judge)}",
    )


def _another(held: Mapping[str, Any], name: object, judge: str | None) -> str:
    """That another judge was calibrated than judged, where that is known; recorded replies do not say whose they are."""
    if not name or held.get("kind") == "recorded" or name == judge:
        return ""
    return (
        f" This run was judged by {judge}, of which these numbers say nothing."
        if judge
        else " This run asked no judge."
    )


def _rates(
    part: object, names: tuple[tuple[str, str], ...]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, word in names:
        rate = part.get(key) if isinstance(part, Mapping) else None
        if isinstance(rate, Mapping):
            yield (
                word,
                {
                    "value": _number(rate, "value"),
                    "ci_lower": _number(rate, "ci_lower", "lower"),
                    "ci_upper": _number(rate, "ci_upper", "upper"),
                },
            )


def _number(rate: Mapping[str, Any], *names: str) -> float | None:
    """The first of them that is a number: the file was laid there by hand."""
    given = (rate.get(name) for name in names)
    return next(
        (one for one in given if isinstance(one, (int, float)) and not isinstance(one, bool)), None
    )


def changed(results: Mapping[str, Any]) -> Iterator[Markup]:
    """What was not as it had been when the run went on."""
    if results.get("changes"):
        yield card(
            "Changed on the way",
            tag("ul", *(tag("li", change) for change in results["changes"])),
            wide=True,
        )


def again(results: Mapping[str, Any]) -> Markup:
    """The signature, and the commands that come to the same numbers."""
    commands = [
        "steelyard eval rescore RUN",
        "steelyard eval show RUN",
        "steelyard eval report RUN",
    ]
    words = [
        "from the stored replies, without asking the model",
        "these tables in the terminal",
        "this page",
    ]
    rows = [
        tag("li", tag("code", command), f" – {word}")
        for command, word in zip(commands, words, strict=True)
    ]
    told = joined(
        [
            "Two numbers can be compared exactly when their signatures agree. ",
            "Everything on this page can be computed again from the run’s folder, RUN:",
        ]
    )
    signed = tag("p", tag("code", str(results["signature"]), class_="signature"))
    return card(
        "Signature",
        signed,
        tag("p", told, class_="note"),
        tag("ul", *rows, class_="commands"),
        wide=True,
    )
