"""Whose doing it is that a test reaches a limit: its author's, if it does so with no candidate there.

A program can make a test loop by what it returns, so a limit alone says nothing. The test is therefore tried again by
itself, with something that can be used for anything in the candidate's place, first as good as nothing and then not. No
program has a part in that, so none can talk its way out of a verdict.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from steelyard.grading.legacy_test import LegacyTest, limits_for_test, material, open_box
from steelyard.grading.prompt import Prompt
from steelyard.grading.verdict import Verdict, broken_limit
from steelyard.sandbox.inside import values
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

# How much of the time a test may take for itself before a program that ran out of it is not to blame.
SHARE = 0.5
_MOST_KNOWN = 256


class DryRun(NamedTuple):
    """The limit that the test reached by itself, or None, and how long it took."""

    limit: Verdict | None
    wall_s: float


class _Known:
    """What is known of tests that were tried: one that is broken is so for every program."""

    def __init__(self) -> None:
        self._found: dict[Any, DryRun] = {}
        self._lock = threading.Lock()

    def get(self, key: Any) -> DryRun | None:
        """What was found before."""
        with self._lock:
            return self._found.get(key)

    def keep(self, key: Any, found: DryRun) -> DryRun:
        """Remembers it, and forgets the oldest of too many."""
        with self._lock:
            while len(self._found) >= _MOST_KNOWN:
                del self._found[next(iter(self._found))]
            self._found[key] = found
        return found


_KNOWN = _Known()


def why_author(
    test: LegacyTest,
    prompt: Prompt,
    sandbox: Sandbox,
    limits: Limits,
    *,
    limit: Verdict,
    in_calls: float,
) -> str | None:
    """Why the limit that was reached is the test's own doing, or None where it is the candidate's.

    ``in_calls`` are the seconds that went by in calls of the candidate.
    """
    if limit not in {"time_limit", "memory_limit"}:
        return None
    if limit == "time_limit" and in_calls > SHARE * limits.wall_s:
        return None
    found = _tried(test, prompt, sandbox, limits)
    if found.limit is not None:
        return f"the test itself reaches the {found.limit.replace('_', ' ')}, whatever it is given"
    if limit == "time_limit" and found.wall_s > SHARE * limits.wall_s:
        return f"the test itself takes {found.wall_s:.1f} of {limits.wall_s:g} seconds, whatever it is given"
    return None


def _tried(test: LegacyTest, prompt: Prompt, sandbox: Sandbox, limits: Limits) -> DryRun:
    """The milder of two trials: what only one of them comes to depends on what is given."""
    key = (test, limits, sandbox.name)
    known = _KNOWN.get(key)
    if known is not None:
        return known
    first = _trial(test, prompt, sandbox, limits, "empty")
    if first.limit is None and first.wall_s <= SHARE * limits.wall_s:
        return _KNOWN.keep(key, first)
    second = _trial(test, prompt, sandbox, limits, "filled")
    limit = first.limit and second.limit  # a test that eats memory may run out of time first
    return _KNOWN.keep(key, DryRun(limit, min(first.wall_s, second.wall_s)))


def _trial(
    test: LegacyTest, prompt: Prompt, sandbox: Sandbox, limits: Limits, given: str
) -> DryRun:
    with open_box(sandbox, "tester", limits_for_test(limits)) as box:
        box.send(values.dumps({"test": {**material(test, prompt), "dry": given}}))
        message = box.receive()
        outcome = box.finish()
    if message is None:
        return DryRun(broken_limit(outcome), outcome.wall_s)
    failed = values.loads(message).get("finished", {}).get("failed") or {}
    return DryRun("memory_limit" if failed.get("type") == "MemoryError" else None, outcome.wall_s)
