"""``results.json``: what a run came to. Nothing in it was measured with a clock or tells of a machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.runs.tally import Count, RunTally

FORMAT = 1
# Two scorers looked at each sample: both found it right or neither did, or only one of them.
CROSSED = ("agree", "only_theirs", "only_ours")


class Prices(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a million tokens cost, in whatever currency the user thinks in."""

    input: float | None = None
    output: float | None = None

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """What that many tokens cost; None where no price is known.

        >>> Prices(input=1.0, output=4.0).cost(1_000_000, 500_000)
        3.0
        """
        if self.input is None and self.output is None:
            return None
        return (
            input_tokens * (self.input or 0.0) + output_tokens * (self.output or 0.0)
        ) / 1_000_000


def headline(count: Count) -> dict[str, Any]:
    """A mean with its denominator: total = scored + pending + unscored, always."""
    moments, interval = count.moments, count.interval()
    return {
        "value": moments.mean,
        "ci_lower": interval.lower if interval else None,
        "ci_upper": interval.upper if interval else None,
        "interval": interval.method if interval else None,
        "total": moments.total,
        "scored": moments.scored,
        "pending": moments.pending,
        "unscored": moments.total - moments.scored - moments.pending,
        "correct": moments.correct,
        "accuracy": moments.correct / moments.scored if moments.scored else None,
        "worst": moments.worst,
        "best": moments.best,
        **({"reading": msgspec.to_builtins(moments.reading)} if moments.reading else {}),
    }


def results(tally: RunTally, about: dict[str, Any], prices: Prices) -> dict[str, Any]:
    """The whole document; ``about`` says which run it is: benchmark, model, signature and so on."""
    head = headline(tally.all)
    return {
        "format": FORMAT,
        **about,
        "headline": head,
        "metrics": _metrics(tally, head),
        **({"learning_curve": _curve(tally)} if tally.curve else {}),
        "categories": {name: headline(count) for name, count in sorted(tally.groups.items())},
        "coverage": {
            **{
                key: head[key]
                for key in ("total", "scored", "pending", "unscored", "worst", "best")
            },
            "asked": tally.asked,
            "model_errors": dict(sorted(tally.errors.items())),
            "truncated": tally.truncated,
            "reasons": dict(sorted(tally.reasons.items(), key=lambda entry: (-entry[1], entry[0]))),
        },
        **(
            {"cross_check": {name: tally.crossed[name] for name in CROSSED}}
            if tally.crossed
            else {}
        ),
        "tokens": {
            "input": tally.input_tokens,
            "output": tally.output_tokens,
            "untold": tally.untold_tokens,
        },
        **_cost(tally, about.get("judge_tokens"), prices),
    }


def told_cross_check(results: Mapping[str, Any]) -> str | None:
    """How far two scorers agree, where a run has been looked at by two.

    >>> told_cross_check({"cross_check": {"agree": 8, "only_theirs": 2, "only_ours": 0}})
    '8 of 10 alike by our own comparison; right by theirs alone 2, by ours alone 0'
    """
    if (found := results.get("cross_check")) is None:
        return None
    agree, theirs, ours = (found[name] for name in CROSSED)
    alike = f"{agree:,} of {agree + theirs + ours:,} alike by our own comparison"
    return f"{alike}; right by theirs alone {theirs:,}, by ours alone {ours:,}"


def _cost(tally: RunTally, judge: dict[str, int] | None, prices: Prices) -> dict[str, Any]:
    """What the model and the judge cost together, and each; at least that, where replies came without their tokens."""
    model = prices.cost(tally.input_tokens, tally.output_tokens)
    if model is None:
        return {"cost": None}
    parts = {"model": model}
    if judge is not None:
        parts["judge"] = prices.cost(judge["input"], judge["output"]) or 0.0
    untold = tally.untold_tokens + (judge or {}).get("untold", 0)
    return {"cost": sum(parts.values()), "cost_parts": parts, "cost_at_least": untold > 0}


def _metrics(tally: RunTally, head: dict[str, Any]) -> dict[str, Any]:
    found = {
        "mean_reward": {key: head[key] for key in ("value", "ci_lower", "ci_upper", "interval")}
    }
    return found | dict(tally.repeats.found())


def _curve(tally: RunTally) -> list[dict[str, Any]]:
    """The mean over problems of the first attempts, of the second, and so on."""
    kept = ("value", "ci_lower", "ci_upper", "interval", "total", "scored")
    told = [headline(count) for count in tally.curve]
    return [
        {"attempt": number, **{key: one[key] for key in kept}} for number, one in enumerate(told, 1)
    ]
