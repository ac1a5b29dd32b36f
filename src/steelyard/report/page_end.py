"""The end of a report: what is known of the judge, what changed on the way, and how to compute the numbers again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from steelyard.report.markup import Markup, joined, tag
from steelyard.report.page_tables import card, whisker_table

_ANSWERS = (("agreement", "agrees with the labels"), ("tpr", "says right where the label does"),
            ("tnr", "says wrong where the label does"), ("kappa", "kappa (beyond chance)"))  # fmt: skip
_PAIRS = (("agreement", "agrees about pairs"), ("kappa", "kappa, pairs"), ("flipped", "changes with the order"),
          ("first_shown", "prefers the one shown first"))  # fmt: skip


def calibrated(found: Mapping[str, Any] | None) -> Iterator[Markup]:
    """How far the judge agrees with labels, from a calibration."""
    if not found:
        return
    rows = [*_rates(found.get("answers"), _ANSWERS), *_rates(found.get("comparisons"), _PAIRS)]
    if not rows:
        return
    judge = found.get("judge") or {}
    name = judge.get("name") or judge.get("model") or "the judge"
    labels = sum((found.get(part) or {}).get("judged", 0) for part in ("answers", "comparisons"))
    yield card("Calibration of the judge", whisker_table("what", rows),
               note=f"{name}, held against {labels:,} labels.")  # fmt: skip


def _rates(part: Mapping[str, Any] | None, names: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, word in names:
        rate = (part or {}).get(key)
        if isinstance(rate, Mapping):
            yield word, {"value": rate.get("value"), "ci_lower": rate.get("ci_lower", rate.get("lower")),
                         "ci_upper": rate.get("ci_upper", rate.get("upper"))}  # fmt: skip


def changed(results: Mapping[str, Any]) -> Iterator[Markup]:
    """What was not as it had been when the run went on."""
    if results.get("changes"):
        yield card("Changed on the way", tag("ul", *(tag("li", change) for change in results["changes"])), wide=True)


def again(results: Mapping[str, Any]) -> Markup:
    """The signature, and the commands that come to the same numbers."""
    commands = ["steelyard eval rescore RUN", "steelyard eval show RUN", "steelyard eval report RUN"]
    words = ["from the stored replies, without asking the model", "these tables in the terminal", "this page"]
    rows = [tag("li", tag("code", command), f" – {word}") for command, word in zip(commands, words, strict=True)]
    told = joined(["Two numbers can be compared exactly when their signatures agree. ",
                   "Everything on this page can be computed again from the run’s folder, RUN:"])  # fmt: skip
    signed = tag("p", tag("code", str(results["signature"]), class_="signature"))
    return card("Signature", signed, tag("p", told, class_="note"), tag("ul", *rows, class_="commands"), wide=True)
