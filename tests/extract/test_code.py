"""The blocks of code in a response."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.extract.code import code_blocks, find_code
from steelyard.extract.found import Trace

CASES = Path(__file__).parent.parent / "cases" / "code" / "blocks.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:40])
def test_blocks(row: dict[str, Any]) -> None:
    got = [
        {"code": b.code, "language": b.language, "closed": b.closed, "stage": b.stage}
        for b in code_blocks(row["text"])
    ]
    assert got == row["blocks"]
    trace = Trace()
    found = find_code(row["text"], trace=trace)
    assert (found.value if found else None) == row["found"]
    assert trace.steps
    if found and "\r" not in row["text"] and "\n" not in found.value:
        assert row["text"][slice(*found.span)].strip(" \t>") == found.value.strip()


PIECES = ["```", "~~~", "````", "```py", "\n", "x = 1", " ", "> ", "- ", "\r\n", "<think>", "Q:"]


@given(st.lists(st.sampled_from(PIECES)))
def test_any_text_gives_blocks_in_order(pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = [block.span for block in code_blocks(text)]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))


@given(st.text(alphabet="abc =()\n\t:#"), st.sampled_from(["```", "~~~", "`````"]))
def test_what_is_fenced_comes_back(code: str, fence: str) -> None:
    (block,) = code_blocks(f"Here:\n{fence}python\n{code}\n{fence}\nBye")
    assert (block.code, block.language, block.closed) == (code, "python", True)


@pytest.mark.parametrize(
    "piece", ["```", "```\n", "~~~\n", "`", " ", "\n", "a```\n", "> ", "```x`\n", "```a``` "]
)
def test_hostile_text_is_read_to_the_end(piece: str) -> None:
    code_blocks(piece * 50_000)


def test_what_is_no_text_or_too_long_has_no_code() -> None:
    assert code_blocks(None) == ()  # type: ignore[arg-type]
    assert code_blocks("x" * 10_000_001) == ()
