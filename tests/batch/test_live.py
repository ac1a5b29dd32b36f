"""Pieces of what comes through a pipe."""

from __future__ import annotations

import os
from itertools import islice

import pytest

from steelyard.batch.block import BLOCK_BYTES
from steelyard.batch.live import is_live, live_chunks
from steelyard.batch.source import whole_lines


def test_while_nothing_comes_nothing_is_said_again_and_again() -> None:
    there, here = os.pipe()
    with open(there, "rb") as stream, open(here, "wb", buffering=0) as writer:
        assert is_live(stream)
        writer.write(b"a\nb")
        stream.peek(4)
        chunks = live_chunks(stream)
        assert list(islice(chunks, 3)) == [b"a\nb", b"", b""]
        writer.write(b"c\n")
        assert next(chunks) == b"c\n"
        writer.close()
        assert b"".join(chunks) == b""


def test_a_full_pipe_is_read_in_blocks() -> None:
    data = os.urandom(BLOCK_BYTES * 3)
    there, here = os.pipe()
    if (child := os.fork()) == 0:
        os.close(there)
        with open(here, "wb") as writer:
            writer.write(data)
        os._exit(0)
    os.close(here)
    with open(there, "rb") as stream:
        stream.peek(4)
        chunks = list(live_chunks(stream))
    os.waitpid(child, 0)
    assert b"".join(chunks) == data
    assert all(len(chunk) >= BLOCK_BYTES for chunk in chunks[:-2])


def test_a_line_that_is_too_long_passes_with_its_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steelyard.batch.source.LINE_LIMIT", 3)
    found = list(whole_lines(iter([b"ab", b"", b"cde", b"", b"f\ng\n"])))
    assert [data for data, _ in found] == [b"", b"", b"", b"g\n"]
    assert [skipped.size for _, skipped in found if skipped] == [6]
