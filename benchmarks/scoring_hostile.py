"""Find the hostile text on which a scorer takes longest.

Each unit of ``hostile_units.txt`` is repeated up to the size of a text: alone, before and after a
mark, and before closing words. One more text is as long as its target. ``scoring.py --hostile``
prints what is found.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scoring_table import Slowest

from steelyard.scoring.pattern import READERS
from steelyard.scoring.types import ScorerInput

LIMIT_SECONDS = 1.0
STOP_SECONDS = 5.0
# A line is a unit, with the escapes of Python; "é" and "\xe9" are the same unit.
UNITS = [
    line.encode("ascii", "backslashreplace").decode("unicode_escape")
    for line in Path(__file__).with_name("hostile_units.txt").read_text("utf-8").splitlines()
]


class TooSlowError(Exception):
    """A text takes longer than STOP_SECONDS."""


def slowest_text_of(scorer: str, size: int) -> Slowest:
    """Return the text on which a scorer takes longest."""
    target = "B" if scorer == "multichoice_regex" else "5"
    # The first call compiles patterns.
    cpu_time(scorer, "Answer: 5", target)
    slowest = Slowest(scorer, 0.0, "", "", False)
    for unit in UNITS:
        for place, text in texts((unit * (size // len(unit) + 1))[:size]):
            seconds, stopped = cpu_time(scorer, text, target)
            if seconds > slowest.seconds:
                slowest = Slowest(scorer, seconds, unit, place, stopped)
    long = "x" * size
    for place, text in (("as response and target", long), ("as the target", "Answer: 5")):
        seconds, stopped = cpu_time(scorer, text, long)
        if seconds > slowest.seconds:
            slowest = Slowest(scorer, seconds, "x", place, stopped)
    return slowest


def texts(repeated: str) -> Iterator[tuple[str, str]]:
    """Yield a repeated unit at each place."""
    yield "alone", repeated
    yield "before a mark", f"{repeated}\nAnswer: 5"
    yield "after a mark", f"Answer: {repeated}"
    yield "before closing words", f"{repeated}\nI hope this helps!"


def cpu_time(scorer: str, response: str, target: str) -> tuple[float, bool]:
    """Return the CPU time of one score, and whether it was stopped."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    stopped = False
    start = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, STOP_SECONDS)
    try:
        READERS[scorer](ScorerInput(response, target))
    except TooSlowError:
        stopped = True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.process_time() - start, stopped


def _stop(*_: Any) -> None:
    raise TooSlowError
