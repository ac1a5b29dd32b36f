"""A log that nobody reads: the service goes on, and says later how many lines are missing."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from steelyard.web.lines import Writer

REQUESTS = (
    6000  # of which each writes a line of more than 400 bytes: more than a pipe and the writer hold
)


@contextmanager
def piped() -> Iterator[int]:
    """A pipe in the place of the standard error stream: the end that can be read."""
    reading, writing = os.pipe()
    kept, sys.stderr = sys.stderr, os.fdopen(writing, "w")
    try:
        yield reading
    finally:
        made, sys.stderr = sys.stderr, kept
        made.close()
        os.close(reading)


def test_lines_that_do_not_fit_are_counted_and_told() -> None:
    writer = Writer(lambda count: b"left out: %d" % count, most=200_000)
    got, ended = bytearray(), threading.Event()

    def read(pipe: int) -> None:
        while b"end" not in got:
            got.extend(os.read(pipe, 65536))
        ended.set()

    with piped() as pipe:
        for number in range(10_000):
            writer.put(b"%099d" % number)
        assert not writer.flush(0.2)
        threading.Thread(target=read, args=(pipe,), daemon=True).start()
        assert writer.flush(20)
        writer.put(b"end")
        assert ended.wait(20)
        assert writer.flush(20)
    lines = bytes(got).decode().splitlines()
    numbers = [int(line) for line in lines if line.isdigit()]
    missing = [int(line.split()[-1]) for line in lines if line.startswith("left out")]
    assert numbers == sorted(set(numbers)), "whole and in their order"
    assert numbers[:600] == list(range(600)), "and none is left out while there is room"
    assert sum(missing) == 10_000 - len(numbers) > 0
    assert lines[-1] == "end"


def test_a_reader_that_is_gone_harms_nothing() -> None:
    writer = Writer(lambda count: b"left out: %d" % count)
    with piped() as pipe:
        other = os.open(os.devnull, os.O_RDONLY)
        os.dup2(other, pipe)  # nobody has the pipe's other end any more
        os.close(other)
        for _ in range(2):
            writer.put(b"a")
            assert not writer.flush(20), "it comes back at once, and says that they are not written"


def test_what_a_full_disk_did_not_take_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, kept = Writer(lambda count: b"left out: %d" % count), tmp_path / "log"
    for place, lines in ((Path("/dev/full"), (b"a", b"b")), (kept, (b"c",))):
        with place.open("w") as stream:
            monkeypatch.setattr(sys, "stderr", stream)
            for line in lines:
                writer.put(line)
            writer.flush(20)
    assert kept.read_text().splitlines() == ["c", "left out: 2"]


def test_a_service_without_the_stream_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Writer(lambda count: b"left out: %d" % count)
    monkeypatch.setattr(sys, "stderr", None)
    writer.put(b"a")
    assert writer.flush(20)


@pytest.mark.slow
def test_a_service_whose_log_nobody_reads_goes_on_and_ends_when_it_is_told(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "steelyard",
        "serve",
        "--port",
        "0",
        "--store",
        str(tmp_path / "arena.db"),
        "--address-rate",
        "0",
        "--no-gates",
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stderr is not None
    try:
        port = next(
            int(found[1])
            for line in process.stderr
            if (found := re.search(rb"http://[\d.]+:(\d+)", line))
        )
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        for _ in range(REQUESTS):
            connection.request("GET", "/api/v1/agents/" + "x" * 290)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 404
        connection.close()
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    lines = [json.loads(line) for line in told.splitlines() if line.startswith(b"{")]
    asked = sum(line["message"] == "request" for line in lines)
    missing = sum(
        int(line["message"].split()[0]) for line in lines if "left out" in line["message"]
    )
    assert asked + missing == REQUESTS
    assert missing > 0
