"""Long messages in pieces, between two real ends of a channel."""

from __future__ import annotations

import queue
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.sandbox.inside.pieces import Pieces


class End:
    """One end; what it has sent is counted by its length."""

    def __init__(self, out: queue.Queue[bytes | None], into: queue.Queue[bytes | None]) -> None:
        self._out, self._into = out, into
        self.longest = 0

    def send(self, data: bytes) -> None:
        self.longest = max(self.longest, len(data))
        self._out.put(data)

    def receive(self) -> bytes | None:
        return self._into.get(timeout=10)


def pair() -> tuple[End, End]:
    there: queue.Queue[bytes | None] = queue.Queue()
    back: queue.Queue[bytes | None] = queue.Queue()
    return End(there, back), End(back, there)


def echoed(message: dict[str, Any]) -> tuple[Any, int]:
    """The message after it went there and back, and the longest that was sent at once."""
    here, there = pair()

    def echo() -> None:
        other = Pieces(there)
        other.send(other.receive() or {})

    thread = threading.Thread(target=echo)
    thread.start()
    mine = Pieces(here)
    mine.send(message)
    found = mine.receive()
    thread.join()
    return found, max(here.longest, there.longest)


@pytest.mark.slow
@given(text=st.text(max_size=200), times=st.sampled_from([1, 7_000, 40_000]))
@settings(max_examples=25, deadline=None)
def test_every_message_comes_whole_and_goes_in_short_ones(text: str, times: int) -> None:
    message = {"ask": "call", "args": [text * min(times, 3_000_000 // max(1, 12 * len(text)))]}
    found, longest = echoed(message)
    assert found == message
    assert longest < 3 * 1024 * 1024


@pytest.mark.slow
def test_a_million_numbers() -> None:
    message = {"answer": list(range(1_000_000))}
    assert echoed(message)[0] == message


def test_pieces_without_end_are_refused() -> None:
    here, there = pair()
    listener = Pieces(there)
    piece = {"ask": "piece", "text": "x" * 1_000_000}
    with pytest.raises(ValueError, match="too long"):
        all(listener.whole(piece) is None for _ in range(100))
    assert here.receive() == b'{"answer": null}'


def test_a_grader_that_has_gone_is_noticed() -> None:
    here, there = pair()
    there._out.put(None)
    assert Pieces(here).receive() is None
