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
        self.seen: bool | None = True
        self.kill_takes = 0.0
        self.limit: Limit | None = None

    def kill(self) -> None:
        time.sleep(self.kill_takes)
        self.did.append("kill")

    def runs(self) -> bool | None:
        return self.seen

    def limit_hit(self) -> Limit | None:
        return self.limit

    def peak_memory(self) -> int | None:
        return None

    def release(self, *, clean: bool) -> None:
        self.did.append("clean" if clean else "release")


class End:
    """The other end of a box, played by the test."""

    def __init__(self, worker: bool = True, began: bool = True) -> None:
        ours, self.theirs = socket.socketpair()
        self._ours, self.host = ours, Host()
        job = Job(worker="function") if worker else Job(argv=("true",))
        self.box = Box(Link(ours.fileno(), ours.fileno()), self.host, job, LIMITS)
        if began:
            self.begins(time.monotonic())

    def begins(self, at: float) -> None:
        frames.send(self.theirs.fileno(), b"B", frames.told({"at": at}))

    def says(self, kind: bytes, content: bytes) -> None:
        thread = threading.Thread(
            target=frames.send, args=(self.theirs.fileno(), kind, content), daemon=True
        )
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
    end.says(
        b"M", frames.SIZE.pack(3) + b"one" + frames.SIZE.pack(0) + frames.SIZE.pack(5) + b"three"
    )
    assert [end.box.receive() for _ in range(3)] == [b"one", b"", b"three"]
    end.says(b"X", b'{"exit": 3}')
    assert end.box.receive() is None
    assert end.box.finish().exit_code == 3
    assert end.host.did == ["clean"]


@pytest.mark.parametrize(
    "flood", [bytes(300_000), b"\0\0\0\1x" * 60_000, frames.SIZE.pack(100_100)]
)
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_time_begins_when_the_program_is_let_go() -> None:
    """However long the box took to be there: the program pays for none of that."""
    made = End(worker=False, began=False)
    threading.Timer(1.5 * LIMITS.wall_s, lambda: made.begins(time.monotonic())).start()
    threading.Timer(2.0 * LIMITS.wall_s, lambda: made.says(b"X", b'{"exit": 0}')).start()
    outcome = made.box.finish()
    assert (outcome.limit, outcome.exit_code) == (None, 0)
    assert 0.2 < outcome.wall_s < LIMITS.wall_s
    made.close()


def test_a_box_whose_program_is_never_let_go_is_our_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("steelyard.sandbox.clock._READY", 0.2)
    made = End(worker=False, began=False)
    with pytest.raises(SandboxError, match="too busy"):
        made.box.finish()
    assert made.host.did == ["kill", "release"]
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize("ahead", [0.0, -1e6, 1e6], ids=["our clock", "one behind", "one ahead"])
@pytest.mark.parametrize(("ended", "limit"), [(0.5, None), (1.2, "time")])
def test_a_program_that_ended_in_time_is_not_late_with_its_report(
    ahead: float, ended: float, limit: str | None
) -> None:
    """The daemon that carries the report may be slow; when the program ended is told by the box."""
    made = End(worker=False, began=False)
    made.host.seen = False
    now = time.monotonic() + ahead
    made.begins(now)
    late = frames.told({"exit": 0, "ended": now + ended})
    threading.Timer(LIMITS.wall_s + 0.7, lambda: made.says(b"X", late)).start()
    outcome = made.box.finish()
    assert (outcome.limit, outcome.exit_code) == (limit, 0)
    assert made.host.did == ["clean"]
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize(("seen", "known"), [(True, True), (False, False), (None, False)])
@pytest.mark.parametrize("worker", [True, False])
def test_time_is_the_programs_only_if_it_was_seen_to_run_on(
    worker: bool, seen: bool | None, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.sandbox.box._UNDER_WAY", 0.2)
    monkeypatch.setattr("steelyard.sandbox.box._REMAINS", 0.2)
    made = End(worker=worker)
    made.host.seen = seen
    assert not worker or made.box.receive() is None
    if known:
        assert made.box.finish().limit == "time"
    else:
        with pytest.raises(SandboxError, match="nobody saw"):
            made.box.finish()
    assert made.host.did == ["kill", "release"]
    made.close()


@pytest.mark.slow
def test_what_the_host_knows_beats_doubt() -> None:
    made = End(worker=False)
    made.host.seen, made.host.limit = None, "memory"
    assert made.box.finish().limit == "memory"
    made.close()


def _is_late(made: End, *, ours: bool) -> None:
    """The time is up, by our failure or by the program's."""
    if ours:
        with pytest.raises(SandboxError, match="came late"):
            made.box.finish()
    else:
        assert made.box.finish().limit == "time"
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize(("said", "ours"), [(0.5, True), (1.1, False), (None, False)])
def test_an_answer_that_was_given_in_time_and_came_late_is_our_failure(
    said: float | None, ours: bool
) -> None:
    made = End(began=False)
    now = time.monotonic()
    made.begins(now)
    assert made.box.receive() is None
    made.says(b"M", frames.SIZE.pack(2) + b"ok")
    time.sleep(0.1)
    made.says(
        b"X",
        frames.told(
            {"signal": 9, "ended": now + 1.1, "said": None if said is None else now + said}
        ),
    )
    _is_late(made, ours=ours)


@pytest.mark.slow
@pytest.mark.parametrize("told", [{}, {"time": True}])
@pytest.mark.parametrize(("said", "ours"), [(0.5, True), (1.1, False)])
def test_an_answer_that_waited_for_the_grader_is_not_the_program_s_time(
    said: float, ours: bool, told: dict[str, bool]
) -> None:
    made = End(began=False)
    now = time.monotonic()
    made.begins(now)
    made.says(b"M", frames.SIZE.pack(2) + b"ok")
    time.sleep(LIMITS.wall_s + 0.1)  # the grader is busy with something else
    assert made.box.receive() == b"ok"
    made.says(b"X", frames.told({"signal": 9, "ended": now + 1.1, "said": now + said, **told}))
    _is_late(made, ours=ours)


def test_a_box_that_ends_while_it_is_told_more_has_said_how() -> None:
    made = End()
    frames.send(made.theirs.fileno(), b"X", frames.told({"exit": 0}))
    made.theirs.close()
    made.box.send(b"another call")
    made.box.send(b"and another")
    assert made.box.receive() is None
    assert made.box.finish().exit_code == 0
    made.close()


def test_nobody_is_late_who_was_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steelyard.sandbox.clock._READY", 0.3)
    made = End(began=False)
    time.sleep(0.4)
    made.box.send(b"begin")
    threading.Timer(0.1, lambda: made.begins(time.monotonic())).start()
    threading.Timer(0.15, lambda: made.says(b"M", frames.SIZE.pack(2) + b"ok")).start()
    assert made.box.receive() == b"ok"
    made.box.stop()
    made.close()
