"""What an agent tells of its way: checked against itself and against what the server saw.

A log that passes is consistent, and that is all it proves: whoever can write a log can write a consistent one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from steelyard.arena.match import SECOND, Match
from steelyard.arena.payload import Metadata
from steelyard.primitives.trajectory import Usage, read_usage
from steelyard.primitives.values import describe, number

MOST_STEPS = 10_000
_LONGEST_STEP = 20_000
Tier = Literal["unverified", "verified", "benchmark-grade"]
Seen = Sequence[tuple[str, int]]


class Trajectory(msgspec.Struct, frozen=True, kw_only=True):
    """The steps as the spec reads them, and what was found wrong with them."""

    steps: dict[str, Any] | None = None
    tier: Tier = "unverified"
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether a trajectory came that nothing speaks against."""
        return self.steps is not None and not self.errors

    def told(self) -> dict[str, Any]:
        """As the agent is told."""
        return {
            "valid": self.valid,
            "tier": self.tier,
            "errors": list(self.errors),
            "warnings": list(self.warnings),
        }


def check_trajectory(metadata: Metadata, match: Match, seen: Seen, *, at: int) -> Trajectory:
    """The trajectory of a submission that was made at that moment; without a log it is just unverified."""
    log = metadata.replay_log
    if log is None:
        return Trajectory()
    steps = {"steps": log}
    errors = [*_shape(log)]
    if not errors:
        errors += [*_usage(steps, metadata), *_times(log, match, at), *_seen(log, match, seen)]
    if errors:
        return Trajectory(steps=steps, errors=tuple(errors[:20]))
    best = match.memoryless and match.first_attempt
    return Trajectory(
        steps=steps, tier="benchmark-grade" if best else "verified", warnings=_warnings(log, metadata)
    )


def _shape(log: Sequence[Any]) -> list[str]:
    if not log:
        return ["the replay log is empty"]
    if len(log) > MOST_STEPS:
        return [f"the replay log has {len(log):,} steps; {MOST_STEPS:,} are allowed"]
    found = []
    for place, step in enumerate(log):
        if not isinstance(step, Mapping):
            found.append(f"steps[{place}] is {describe(step)}; an object is needed")
        elif len(msgspec.json.encode(step)) > _LONGEST_STEP:
            found.append(f"steps[{place}] has more than {_LONGEST_STEP:,} bytes")
    return found


def _usage(steps: Mapping[str, Any], metadata: Metadata) -> list[str]:
    """Signs, types and sums; the count that the agent tells must be the sum of its steps."""
    usage = read_usage(steps)
    if not isinstance(usage, Usage):
        return [usage.removeprefix("the trajectory is not valid: ")]
    if metadata.token_count is not None and not usage.uncounted and metadata.token_count != usage.tokens:
        return [f"token_count is {metadata.token_count:,.15g}, and the steps add up to {usage.tokens:,}"]
    return []


def _times(log: Sequence[Mapping[str, Any]], match: Match, at: int) -> list[str]:
    """Steps lie in the match, one after the other; a step without a time only has its duration."""
    found: list[str] = []
    last, spent = 0.0, 0.0
    window = (at - match.entered_at) / SECOND
    for place, step in enumerate(log):
        spent += float(number(step.get("duration_ms")) or 0) / 1000
        if "at_ms" not in step:
            continue
        offset = number(step["at_ms"])
        if offset is None or offset < 0:
            found.append(
                f"steps[{place}].at_ms is {describe(step['at_ms'])}; milliseconds since the match began are needed"
            )
        elif (moment := float(offset) / 1000) < last:
            found.append(f"steps[{place}] happened before the step that it follows")
        elif moment > window + 1:
            found.append(f"steps[{place}] happened {moment:.1f} s into a match that took {window:.1f} s")
        else:
            last = moment
    if spent > window + 1 and not any(step.get("parallel") is True for step in log):
        found.append(f"the steps took {spent:.1f} s, and the match {window:.1f} s")
    return found


def _seen(log: Sequence[Mapping[str, Any]], match: Match, seen: Seen) -> list[str]:
    """A workspace that was never downloaded cannot have been worked on."""
    first = min((moment for kind, moment in seen if kind == "download"), default=None)
    if first is None:
        return ["the log tells of work, and the workspace was never downloaded"]
    begun = (first - match.entered_at) / SECOND
    for place, step in enumerate(log):
        moment = float(number(step.get("at_ms")) or 0) / 1000
        if step.get("needs_workspace") is True and moment < begun - 1:
            return [f"steps[{place}] used the workspace before it was downloaded"]
    return []


def _warnings(log: Sequence[Mapping[str, Any]], metadata: Metadata) -> tuple[str, ...]:
    models = {step["model"] for step in log if isinstance(step.get("model"), str)}
    if metadata.model_id is not None and models and metadata.model_id not in models:
        return (f"model_id is {metadata.model_id!r}, and no step names it",)
    if not any("at_ms" in step for step in log):
        return ("no step has a time (at_ms), so their order was not checked",)
    return ()
