"""Frames arrive whole, whatever the pieces they come in, and nobody blocks."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import SandboxError
from steelyard.sandbox.inside import frames
from steelyard.sandbox.link import Link


@pytest.fixture
def ends() -> Iterator[tuple[Link, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Link(ours.fileno(), ours.fileno()), theirs


def soon() -> float:
    return time.monotonic() + 5


def test_what_is_sent_comes_in_pieces_of_a_frame(ends: tuple[Link, socket.socket]) -> None:
    link, theirs = ends
    frames.send(theirs.fileno(), b"O", b"x" * 150_000)
    got = b""
    while len(got) < 150_000:
        got += b"".join(content for kind, content in link.frames(soon()) if kind == b"O")
    assert got == b"x" * 150_000


@given(
    contents=st.lists(st.binary(max_size=40), max_size=6),
    cuts=st.lists(st.integers(1, 60), max_size=20),
)
def test_a_frame_may_arrive_in_any_pieces(contents: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(frames.HEAD.pack(b"M", len(content)) + content for content in contents)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        link, got = Link(ours.fileno(), ours.fileno()), []
        for cut in [*cuts, len(stream)]:
            theirs.sendall(stream[:cut])
            stream = stream[cut:]
            got += list(link.frames(time.monotonic() + 0.001))
        theirs.close()
        while not link.ended:
            got += list(link.frames(soon()))
    assert [content for _, content in got] == contents


def test_both_sides_may_have_much_to_say_at_once(ends: tuple[Link, socket.socket]) -> None:
    link, theirs = ends

    def answer() -> None:
        frames.send(theirs.fileno(), b"O", b"y" * 3_000_000)  # before it reads anything
        while frames.receive(theirs.fileno()) != (b"Q", b""):
            pass

    thread = threading.Thread(target=answer)
    thread.start()
    link.send(b"M", b"x" * 5_000_000)
    link.send(b"Q")
    got = 0
    while got < 3_000_000 or thread.is_alive():
        got += sum(len(content) for _, content in link.frames(time.monotonic() + 0.01))
    assert got == 3_000_000


def test_a_length_that_no_frame_has_is_our_failure(ends: tuple[Link, socket.socket]) -> None:
    link, theirs = ends
    theirs.sendall(frames.HEAD.pack(b"O", 1 << 31))
    with pytest.raises(SandboxError, match="no frame"):
        list(link.frames(soon()))


def test_an_end_that_is_gone_is_told_and_waits_for_nothing(
    ends: tuple[Link, socket.socket],
) -> None:
    link, theirs = ends
    theirs.close()
    assert list(link.frames(soon())) == []
    link.send(b"M", b"nobody hears this")
    assert link.ended


def test_a_channel_has_whole_messages_and_an_end() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        channel = frames.Channel(ours.fileno())
        frames.Channel(theirs.fileno()).send(b"")
        frames.Channel(theirs.fileno()).send(b"two")
        os.write(theirs.fileno(), b"\x00\x00\x00\x09cut")
        theirs.close()
        assert [channel.receive() for _ in range(3)] == [b"", b"two", None]
