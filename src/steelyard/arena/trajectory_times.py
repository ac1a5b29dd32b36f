"""When the steps of a log happened: against each other, against the match, and against what the server saw."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from steelyard.arena.match import SECOND, Match
from steelyard.primitives.trajectory import amount, read_step
from steelyard.primitives.values import describe

Seen = Sequence[tuple[str, int]]
Log = Sequence[Mapping[str, Any]]
_SLACK = 1.0  # seconds: an agent's count begins when the answer to its entering arrives, not when the match does
_SKEW = 5.0  # seconds that an agent's clock may differ from the server's, where it tells the time of day
_NEEDED = "milliseconds since the match began are needed, or in ts a time of day with its zone"


class Stretch(NamedTuple):
    """A step in time, in seconds since the match began; `slack` is how far off that may be."""

    place: int
    begin: float
    end: float
    slack: float


def read_times(log: Log, match: Match) -> tuple[list[Stretch], list[str]]:
    """The steps that have a time, and what is wrong with the times of others."""
    found: list[Stretch] = []
    wrong: list[str] = []
    for place, step in enumerate(log):
        name = "at_ms" if "at_ms" in step else "ts"
        if name not in step:
            continue
        moment = _moment(step[name], match, of_day=name == "ts")
        if moment is None:
            wrong.append(f"steps[{place}].{name} is {describe(step[name])}; {_NEEDED}")
        else:
            found.append(Stretch(place, moment[0], moment[0] + duration(step), moment[1]))
    return found, wrong


def duration(step: Mapping[str, Any]) -> float:
    """How long a step took, in seconds; nothing where it does not say."""
    return float(amount(read_step(step)[0].get("duration_ms")) or 0) / 1000


def _moment(given: object, match: Match, *, of_day: bool) -> tuple[float, float] | None:
    """Seconds since the match began, and how far off they may be."""
    if of_day and isinstance(given, str):
        return _time_of_day(given, match)
    offset = amount(given)
    return None if offset is None else (float(offset) / 1000, _SLACK)


def _time_of_day(given: str, match: Match) -> tuple[float, float] | None:
    try:
        read = datetime.fromisoformat(given)
        if read.tzinfo is None:
            return None
        return read.timestamp() - match.entered_at / SECOND, _SKEW
    except (ValueError, OverflowError):
        return None


def misplaced(log: Log, times: Sequence[Stretch], window: float) -> Iterator[str]:
    """Steps that lie before the one that they follow, or outside of the match."""
    last = float("-inf")
    for step in times:
        if step.begin < last:
            yield f"steps[{step.place}] begins before the step that it follows"
        last = max(last, step.begin)
        if step.begin < -step.slack:
            yield f"steps[{step.place}] begins {-step.begin:.1f} s before the match"
        elif step.end > window + step.slack:
            yield f"steps[{step.place}] ends {step.end:.1f} s into a match that took {window:.1f} s"
    timed = {step.place for step in times}
    # Steps with a time may overlap, as calls in parallel do; of the others it is only known how long they took.
    spent = sum(duration(step) for place, step in enumerate(log) if place not in timed)
    if spent > window + _SLACK:
        yield f"the steps without a time took {spent:.1f} s, and the match {window:.1f} s"


def unseen(log: Log, times: Sequence[Stretch], match: Match, seen: Seen) -> Iterator[str]:
    """A workspace that was not downloaded yet cannot have been worked on."""
    first = first_download(match, seen)
    if first is None:
        yield "the log tells of work, and the workspace was never downloaded"
        return
    for step in times:
        if log[step.place].get("needs_workspace") is True and step.begin < first - step.slack:
            yield f"steps[{step.place}] used the workspace before it was downloaded"


def first_download(match: Match, seen: Seen) -> float | None:
    """When the workspace was first fetched, in seconds since the match began."""
    moments = [(at - match.entered_at) / SECOND for kind, at in seen if kind == "download"]
    return min(moments, default=None)


def early(times: Sequence[Stretch], match: Match, seen: Seen) -> Iterator[str]:
    """Steps that were over before there was anything to work on: possible, and worth a word."""
    first = first_download(match, seen)
    count = sum(step.end < first - step.slack for step in times) if first is not None else 0
    if count:
        yield f"{count} {'steps were' if count > 1 else 'step was'} over before the workspace was downloaded"


def silent(
    times: Sequence[Stretch], match: Match, seen: Seen, *, every: int | None, window: float
) -> Iterator[str]:
    """Where signs of life are asked for: steps in a stretch in which there was none."""
    if every is None:
        return
    moments = sorted({0.0, window, *((at - match.entered_at) / SECOND for _, at in seen)})
    begins = [step.begin for step in times]  # in order, or the log would not have come so far
    for begin, end in itertools.pairwise(moments):
        if end - begin <= every + _SLACK:
            continue
        between = times[bisect.bisect_right(begins, begin) : bisect.bisect_left(begins, end)]
        if inside := next((step for step in between if step.end < end), None):
            yield (
                f"the server saw no sign of life for {end - begin:.0f} s (every {every} s is asked for), "
                f"while the log tells of work at steps[{inside.place}]"
            )
