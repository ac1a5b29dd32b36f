"""What comes over the private channel: messages, floods, and what is neither."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from steelyard.errors import SandboxError
from steelyard.sandbox.box import Box
from steelyard.sandbox.inside import frames
from steelyard.sandbox.job import Job, Limit
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.link import Link

LIMITS = Limits(wall_s=1, output_bytes=100_000)


class Host:
    """Remembers what was done to it."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.kill_takes = 0.0
        self.limit: Limit | None = None

    def kill(self) -> None:
        time.sleep(self.kill_takes)
        self.did.append("kill")

    def limit_hit(self) -> Limit | None:
        return self.limit

    def peak_memory(self) -> int | None:
        return None

    def release(self, *, clean: bool) -> None:
        self.did.append("clean" if clean else "release")


class End:
    """The other end of a box, played by the test."""

    def __init__(self, worker: bool = True) -> None:
        ours, self.theirs = socket.socketpair()
        self._ours, self.host = ours, Host()
        job = Job(worker="function") if worker else Job(argv=("true",))
        self.box = Box(Link(ours.fileno(), ours.fileno()), self.host, job, LIMITS)

    def says(self, kind: bytes, content: bytes) -> None:
        thread = threading.Thread(target=frames.send, args=(self.theirs.fileno(), kind, content), daemon=True)
        thread.start()

    def close(self) -> None:
        self.theirs.close()
        self._ours.close()


@pytest.fixture
def end() -> Iterator[End]:
    made = End()
    yield made
    made.close()


def test_messages_arrive_in_order_and_the_report_ends_it(end: End) -> None:
    end.says(b"M", frames.SIZE.pack(3) + b"one" + frames.SIZE.pack(0) + frames.SIZE.pack(5) + b"three")
    assert [end.box.receive() for _ in range(3)] == [b"one", b"", b"three"]
    end.says(b"X", b'{"exit": 3}')
    assert end.box.receive() is None
    assert end.box.finish().exit_code == 3
    assert end.host.did == ["clean"]


@pytest.mark.parametrize("flood", [bytes(300_000), b"\0\0\0\1x" * 60_000, frames.SIZE.pack(100_100)])
def test_more_than_may_come_is_an_output_limit(end: End, flood: bytes) -> None:
    end.says(b"M", flood)
    while end.box.receive() is not None:
        time.sleep(0.01)
    outcome = end.box.finish()
    assert (outcome.limit, outcome.garbled) == ("output", False)
    assert end.host.did == ["kill", "release"]


def test_a_box_that_is_gone_without_a_word_is_not_waited_for(end: End) -> None:
    """As when the kernel kills its first process for memory: nobody will ever say more."""
    end.host.limit = "memory"
    end.says(b"Z", b"")
    began = time.monotonic()
    assert end.box.receive() is None
    assert end.box.finish().limit == "memory"
    assert time.monotonic() - began < LIMITS.wall_s / 2
    assert end.host.did == ["kill", "release"]


def test_text_in_the_channel_is_no_message(end: End) -> None:
    end.says(b"M", b'{"done": 1, "value": 3}\n')
    assert end.box.receive() is None
    outcome = end.box.finish()
    assert (outcome.garbled, outcome.limit) == (True, None)


def test_a_box_that_is_lost_is_our_failure_and_is_given_back_once(end: End) -> None:
    end.theirs.close()
    assert end.box.receive() is None
    with pytest.raises(SandboxError, match="without saying how"):
        end.box.finish()
    end.box.stop()
    assert end.host.did == ["kill", "release"]


def test_a_worker_that_does_not_end_when_told_to_is_killed_and_nobody_is_blamed(end: End) -> None:
    outcome = end.box.finish()
    assert (outcome.signal, outcome.limit) == (9, None)
    assert end.host.did == ["kill", "release"]


def test_a_command_that_does_not_end_has_its_time() -> None:
    made = End(worker=False)
    assert made.box.finish().limit == "time"
    made.close()


def test_the_clock_can_begin_later(end: End) -> None:
    time.sleep(0.6)
    end.box.restart_clock()
    end.says(b"M", frames.SIZE.pack(2) + b"ok")
    time.sleep(0.6)
    assert end.box.receive() == b"ok"
    assert end.box.finish().limit is None


def test_the_time_of_a_run_is_until_nothing_of_it_runs() -> None:
    made = End(worker=False)
    made.host.kill_takes = 0.3
    outcome = made.box.finish()
    assert outcome.wall_s > LIMITS.wall_s + 0.3
    made.close()


def test_a_box_that_ends_itself_for_time_is_believed(end: End) -> None:
    end.says(b"X", b'{"signal": 9, "time": true}')
    assert end.box.receive() is None
    assert end.box.finish().limit == "time"
