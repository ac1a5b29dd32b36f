"""Recorded replies: found by sample or by request, never made up."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import DataError, ModelError
from steelyard.models.recorded import RecordedModel, request_key
from steelyard.models.types import Message, Reply, Request

ASKED = Request(messages=(Message("user", "2 + 2?"),), parameters={"seed": 1})


def recording(folder: Path, *rows: dict[str, Any] | str) -> Path:
    file = folder / "replies.jsonl"
    file.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    )
    return file


def ask(file: Path, id: str = "", repeat: int = 0, request: Request = ASKED) -> Reply:  # noqa: A002 - its name in a Request
    given = Request(messages=request.messages, parameters=request.parameters, id=id, repeat=repeat)
    return asyncio.run(RecordedModel(file).ask(given))


def test_by_id_and_repeat(tmp_path: Path) -> None:
    file = recording(
        tmp_path,
        {"id": "a", "text": "first"},
        {"id": "a", "text": "second", "finish": "length", "output_tokens": 3},
        "",
        {"id": 7, "response": "seven", "reasoning": "hm"},
        {"id": "b", "repeat": 2, "text": "third"},
    )
    assert ask(file, "a").text == "first"
    assert ask(file, "a", 1) == Reply(
        text="second", finish="length", output_tokens=3, served_by="recorded"
    )
    assert ask(file, "7") == Reply(text="seven", reasoning="hm", served_by="recorded")
    assert ask(file, "b", 2).text == "third"
    for missing in (("a", 2), ("b", 0), ("c", 0), ("", 0)):
        with pytest.raises(ModelError, match="no reply") as caught:
            ask(file, *missing)
        assert caught.value.kind == "missing"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (r"\ud800 x", "\ufffd x"),
        (r"x \uDFff", "x \ufffd"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\ud83d\ud83d\ude00\ude00", "\ufffd\U0001f600\ufffd"),
        (r"\\ud800 \ud800", "\\ud800 \ufffd"),
    ],
)
def test_half_a_surrogate_pair_is_read_as_no_character(
    text: str, want: str, tmp_path: Path
) -> None:
    assert ask(recording(tmp_path, f'{{"id": "a", "text": "{text}"}}'), "a").text == want


def test_what_is_missing_is_one_reason_for_all(tmp_path: Path) -> None:
    file, told = recording(tmp_path, {"id": "a", "text": "x"}), set()
    for name, repeat in (("b", 0), ("c", 0), ("a", 1)):
        with pytest.raises(ModelError) as caught:
            ask(file, name, repeat)
        told.add(str(caught.value))
    assert told == {"replies.jsonl has no reply to this sample"}


def test_by_what_was_asked(tmp_path: Path) -> None:
    file = recording(tmp_path, {"request": request_key(ASKED), "text": "4"})
    assert ask(file).text == "4"
    assert ask(file, "any").text == "4"
    for other in (
        Request(messages=ASKED.messages),
        Request(messages=(Message("user", "2+2?"),), parameters={"seed": 1}),
    ):
        with pytest.raises(ModelError):
            ask(file, request=other)


def test_who_it_is_depends_on_the_content(tmp_path: Path) -> None:
    one = RecordedModel(recording(tmp_path, {"id": "a", "text": "x"})).identity
    other = RecordedModel(recording(tmp_path, {"id": "a", "text": "y"})).identity
    assert one["name"] == other["name"] == "replies.jsonl"
    assert one["sha256"] != other["sha256"]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{", "replies.jsonl:2"),
        ({"id": "b"}, "no 'text'"),
        ({"text": "x"}, "neither"),
        ({"id": "a", "repeat": 0, "text": "x"}, "line 1"),
        ({"id": [], "text": "x"}, "no recorded reply"),
        ({"id": "b", "text": "x", "output_tokens": -5}, "$.output_tokens"),
        ({"id": "b", "text": "x", "input_tokens": 2**63}, "$.input_tokens"),
        (r'{"id": "b", "text": "\ud800"', "no recorded reply"),
        ('{"id": "b", "text": "x", "text": "y"}', "the key 'text' is given twice"),
    ],
)
def test_a_recording_that_cannot_be_used(
    row: dict[str, Any] | str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError) as caught:
        RecordedModel(recording(tmp_path, {"id": "a", "text": "x"}, row))
    assert words in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        RecordedModel(tmp_path / "none.jsonl")
