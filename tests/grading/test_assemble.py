"""From a response to the programs that it may mean."""

from __future__ import annotations

import ast
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.grading.assemble import MOST_READINGS, readings
from steelyard.grading.definitions import parsed
from steelyard.grading.prompt import Prompt

CASES = Path(__file__).parent.parent / "cases" / "code" / "readings.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
PIECES = [
    "```",
    "```python\n",
    "\n",
    "def add(a, b):",
    "    return a + b",
    "import x",
    "print(1)",
    " ",
    "text.",
    "<think>",
]


def lines(source: str) -> list[str]:
    return [line for line in source.split("\n") if line.strip()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_readings(row: dict[str, Any]) -> None:
    found = readings(row["response"], row["prompt"], row["entry"])
    if row["first"] is None:
        assert not found
        return
    assert lines(found[0].source) == lines(row["first"])
    if "last" in row:
        assert lines(found[-1].source) == lines(row["last"])
    if "code" in row:
        assert found[0].code == row["code"]
    start, end = found[0].span
    assert row["response"][start:end].strip()


@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.sampled_from(["", "def add(a, b):\n", "Add!"]),
)
@settings(deadline=None)
def test_any_response_has_few_readings_that_lie_in_it(response: str, prompt: str) -> None:
    found = readings(response, prompt, "add")
    assert len(found) <= MOST_READINGS
    for reading in found:
        assert 0 <= reading.span[0] <= reading.span[1] <= len(response)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["(", "def f():\n", "    x\n", "[", "x = 1\n", "\x00", "if x:\n ", "@a\n", "'''", "\\"]
)
def test_hostile_text_is_read_to_the_end(piece: str) -> None:
    for length in (60_000, 300_000):
        readings(piece * (length // len(piece)), "def add(a, b):\n", "add")


@pytest.mark.parametrize(
    ("prompt", "prelude", "stubs", "opened"),
    [
        ("def f(x):\n", "", ("f",), True),
        ("def f(x):\n    '''Doc.'''\n", "", ("f",), True),
        ("import os\nA = 1\ndef f(x):\n    pass\n", "import os\nA = 1", ("f",), True),
        ("def g():\n    return 1\n\ndef f(x):\n", "def g():\n    return 1", ("f",), True),
        ("def g(): ...\ndef f(x):\n    raise NotImplementedError\n", "", ("g", "f"), True),
        ("def f(x):\n    return 1\n", "", (), False),
        ("Write a function that adds.", "", (), False),
        ("", "", (), False),
    ],
)
def test_prompts(prompt: str, prelude: str, stubs: tuple[str, ...], opened: bool) -> None:
    read = Prompt.read(prompt, "f")
    assert (read.prelude, read.stubs, read.open) == (prelude, stubs, opened)
    assert parsed(read.complete) is not None


@given(st.text(alphabet="def f(x):\n  'ar1", max_size=60))
def test_a_prompt_is_always_completed_to_python(prompt: str) -> None:
    assert ast.parse(Prompt.read(prompt, "f").complete) is not None


def test_operators_are_those_that_the_author_wrote() -> None:
    source = "class V:\n    def __init__(self): ...\n    def __add__(self, o): ...\n    def size(self): ...\n"
    assert Prompt.read(source, "V").operators() == ("__add__",)
    assert Prompt.read(source, "W").operators() == ()


def test_of_very_many_blocks_the_last_ones_are_tried_alone() -> None:
    blocks = [f"```python\ndef f(x):\n    return {number}\n```\n" for number in range(5_000)]
    began = time.process_time()
    found = readings("".join(blocks), "", "f")
    assert (
        time.process_time() - began < 2
    )  # one by one they took as many milliseconds as there are blocks
    assert found[0].source.count("def f") == len(blocks)
    assert found[1].source.strip() == "def f(x):\n    return 4999"
