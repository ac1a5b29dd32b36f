"""What a tracker notes is what the arena takes for a log that holds."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.arena.tracker import ReplayTracker
from steelyard.primitives.trajectory import Usage, read_usage


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@given(
    st.lists(
        st.tuples(st.sampled_from(["llm", "tool", "with"]), st.floats(0, 5), st.integers(0, 9000)),
        max_size=20,
    )
)
def test_logs_are_ordered_and_readable_whatever_is_noted(
    calls: list[tuple[str, float, int]],
) -> None:
    hands = Hands()
    tracker = ReplayTracker(clock=hands)
    for kind, pause, number in calls:
        hands.now += pause
        if kind == "llm":
            tracker.llm_call(model="m", input_tokens=number, output_tokens=1, duration_ms=number)
        elif kind == "tool":
            tracker.tool_call(tool="t", duration_ms=number)
        else:
            with tracker.tool_call(tool="t"):
                hands.now += pause
    log = tracker.log()
    times = [step["at_ms"] for step in log]
    assert times == sorted(times)
    assert all(moment >= 0 for moment in times)
    usage = read_usage({"steps": log})
    assert isinstance(usage, Usage)
    assert (
        usage.tokens
        == tracker.tokens
        == sum(number + 1 for kind, _, number in calls if kind == "llm")
    )


def test_a_call_that_fails_is_noted_too() -> None:
    tracker = ReplayTracker()
    with pytest.raises(KeyError), tracker.tool_call(tool="t"):
        raise KeyError("x")
    assert tracker.log()[0]["error"] == "KeyError"


def test_threads_may_note_at_the_same_time() -> None:
    tracker = ReplayTracker()

    def work() -> None:
        for _ in range(200):
            with tracker.llm_call(model="m", input_tokens=1):
                time.sleep(0)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(tracker.log()), tracker.tokens) == (800, 800)
