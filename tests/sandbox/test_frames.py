"""What goes between a box and the grader: facts as JSON that was written by hand, and frames in memory that can be wiped."""

from __future__ import annotations

import json
import os

from hypothesis import given
from hypothesis import strategies as st

from steelyard.sandbox.inside import frames

facts = st.dictionaries(
    st.text("abcdefghij_", min_size=1),
    st.none() | st.booleans() | st.integers() | st.text(st.characters(max_codepoint=0xD7FF)),
)


@given(facts)
def test_facts_are_read_as_they_were_told(told: dict[str, int | str | None]) -> None:
    assert json.loads(frames.told(told)) == told


def test_signs_beyond_the_first_plane_are_at_least_no_fault() -> None:
    assert json.loads(frames.told({"broken": "a\U0001f40dz"})) == {"broken": "a\ufffdz"}


def test_a_frame_is_received_into_memory_that_can_be_overwritten() -> None:
    reader, writer = os.pipe()
    frames.send(writer, b"J", b"x" * 3000)
    assert frames.receive_into(reader) == (b"J", bytearray(b"x" * 3000))
    os.write(writer, frames.HEAD.pack(b"J", 10) + b"short")
    os.close(writer)
    assert frames.receive_into(reader) is None
    assert frames.receive_into(reader) is None
    os.close(reader)
