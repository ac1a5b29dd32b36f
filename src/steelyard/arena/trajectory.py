"""What an agent tells of its way: checked against itself and against what the server saw.

A log that passes is consistent, and that is all it proves: whoever can write a log can write a consistent one. Steps that were
left out, smaller counts and other names leave no trace. So a log that holds earns little, a bonus on the gain of a win and the
points for efficiency, and every answer that rests on one says what that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from steelyard.arena.agents import Agent
from steelyard.arena.challenge import Challenge
from steelyard.arena.match import Match
from steelyard.arena.payload import Metadata
from steelyard.arena.trajectory_times import (
    Seen,
    Stretch,
    early,
    misplaced,
    read_times,
    silent,
    unseen,
)
from steelyard.primitives.trajectory import Usage, read_usage
from steelyard.primitives.values import describe

MOST_STEPS: Final = 10_000
_LONGEST_STEP, _LONGEST_NAME = 20_000, 200
_MOST_TOLD = 20
Tier = Literal["unverified", "verified", "benchmark-grade"]
_CONSISTENT = (
    "The log agrees with itself and with what the server saw. It is the agent's own word: "
    "that these steps were taken, and no others, is not proven."
)
MEANING: Final[Mapping[Tier, str]] = {
    "unverified": "No log came, or something speaks against it: it earns nothing for efficiency, and wins no bonus.",
    "verified": _CONSISTENT,
    "benchmark-grade": f"{_CONSISTENT} It is a first attempt without anything of earlier matches from the server; "
    "what else the agent remembers is not known.",
}


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
            "meaning": MEANING[self.tier],
        }


_NONE = Trajectory()


def check_trajectory(
    metadata: Metadata,
    match: Match,
    seen: Seen,
    *,
    at: int,
    challenge: Challenge | None = None,
    agent: Agent | None = None,
) -> Trajectory:
    """The trajectory of a submission that was made at that moment; without a log it is just unverified.

    ``seen``: what the server saw of the match. With the challenge and the agent the names in the log are checked as well.
    """
    log = metadata.replay_log
    if log is None:
        return _NONE
    steps = {"steps": log}
    if errors := _shape(log):
        return _faulty(steps, errors)
    usage = read_usage(steps)
    if not isinstance(usage, Usage):
        return _faulty(steps, [usage.removeprefix("the trajectory is not valid: ")])
    window = match.seconds_used(at)
    times, errors = read_times(log, match)
    errors += [*misplaced(log, times, window), *unseen(log, times, match, seen)]
    errors += [*_sums(usage, metadata), *_unnamed(log, challenge)]
    if errors:
        return _faulty(steps, errors)
    warnings = [*_names(usage, metadata, agent), *_gaps(usage, times), *early(times, match, seen)]
    every = challenge.about.heartbeat_secs if challenge is not None else None
    warnings += silent(times, match, seen, every=every, window=window)
    best = match.memoryless and match.first_attempt
    tier: Tier = "benchmark-grade" if best else "verified"
    return Trajectory(steps=steps, tier=tier, warnings=tuple(warnings[:_MOST_TOLD]))


def _faulty(steps: dict[str, Any], errors: Sequence[str]) -> Trajectory:
    return Trajectory(steps=steps, errors=tuple(errors[:_MOST_TOLD]))


def _shape(log: Sequence[Any]) -> list[str]:
    """What is too much, or no step at all."""
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
        else:
            found += [
                f"steps[{place}].{name} has more than {_LONGEST_NAME} characters"
                for name in ("model", "tool")
                if isinstance(step.get(name), str) and len(step[name]) > _LONGEST_NAME
            ]
    return found


def _sums(usage: Usage, metadata: Metadata) -> Iterator[str]:
    """The count that the agent tells is the sum of its steps."""
    if (
        metadata.token_count is not None
        and not usage.uncounted
        and metadata.token_count != usage.tokens
    ):
        yield f"token_count is {metadata.token_count:,.15g}, and the steps add up to {usage.tokens:,}"


def _unnamed(log: Sequence[Mapping[str, Any]], challenge: Challenge | None) -> Iterator[str]:
    """Where only some models or tools are allowed, a call that does not name its own would escape the list."""
    limits = challenge.constraints if challenge is not None else {}
    for kind, name in (("llm_call", "model"), ("tool_call", "tool")):
        if f"allowed_{name}s" not in limits:
            continue
        for place, step in enumerate(log):
            if step["type"] == kind and not step.get(name):
                yield f"steps[{place}] names no {name}, and only some are allowed"


def _names(usage: Usage, metadata: Metadata, agent: Agent | None) -> Iterator[str]:
    """Models that the agent speaks of elsewhere, and not in its log."""
    said = {
        "model_id": metadata.model_id,
        "base_model": agent.base_model if agent is not None else None,
    }
    for field, model in said.items():
        if model and usage.models and model not in usage.models:
            yield f"{field} is {model!r}, and no step names it"


def _gaps(usage: Usage, times: Sequence[Stretch]) -> Iterator[str]:
    if not times:
        yield "no step has a time (at_ms or ts), so their order was not checked"
    if usage.uncounted:
        yield f"{usage.uncounted}, so the tokens cannot be counted"
