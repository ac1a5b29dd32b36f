"""Rows of answers: which are scored, which have no score, and which are bad lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.batch import Options, ScorerPlan, Source, Summary, score_files
from steelyard.batch.block import Block
from steelyard.batch.rows import ANSWER_FIELDS, Rows, Unreadable

TABLE = Path(__file__).parent.parent / "cases" / "batch" / "rows.jsonl"
CASES = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
GOOD = b'{"response":"x","target":"x"}\n'


def score_lines(folder: Path, data: bytes, **options: Any) -> tuple[Summary, list[dict[str, Any]]]:
    """The summary and the output rows of an exact match over the data."""
    (folder / "in.jsonl").write_bytes(data)
    out = folder / "out.jsonl"
    summary = score_files(
        ScorerPlan(scorer="exact_match"),
        [Source(str(folder / "in.jsonl"))],
        Options(output=str(out), **options),
    )
    return summary, [json.loads(line) for line in out.read_bytes().splitlines()]


@pytest.mark.parametrize("around", [False, True], ids=["alone", "among good rows"])
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_rows(case: dict[str, Any], around: bool, tmp_path: Path) -> None:
    line = case["line"].encode("utf-8", "surrogateescape") + b"\n"
    bad: list[Any] = []
    summary, rows = score_lines(tmp_path, line + 2 * GOOD if around else line, on_bad=bad.append)
    row = rows[0]
    if "bad" in case:
        assert case["bad"] in bad[0].message
        assert (bad[0].line, row["value"], summary.bad_lines, summary.exit_code) == (1, None, 1, 2)
        assert row["reason"] == f"bad line: {bad[0].message}"
    else:
        assert not bad
        assert row["value"] == case["value"]
        assert row["reason"] == case.get("reason", row["reason"])
    assert row["id"] == case.get("id", 1)
    assert len(rows) == summary.total == 1 + 2 * around
    assert summary.total == summary.scored + summary.pending + summary.unscored


def test_every_case_says_what_it_wants() -> None:
    assert all(("bad" in case) != ("value" in case) for case in CASES)
    assert len({case["name"] for case in CASES}) == len(CASES)


PIECES = [GOOD, b"\n", b"  \n", b"{\n", b'{"response":\n', b'"x"}\n', b"[]\n", GOOD[:-1] + GOOD]


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_a_block_reads_as_its_lines_do(lines: list[bytes]) -> None:
    """Whether a block is read whole or line by line, each row stands at its own line."""
    rows = Rows(ANSWER_FIELDS)
    data = b"".join(lines)
    numbers, found = rows.block(Block("f", 1, data.count(b"\n"), data))
    single = [(n, text) for n, text in enumerate(data.split(b"\n"), start=1) if text.strip()]
    assert numbers == [n for n, _ in single]
    for row, (_, text) in zip(found, single, strict=True):
        one = rows.block(Block("f", 1, 1, text))[1][0]
        assert (type(row) is Unreadable) == (type(one) is Unreadable)


def test_a_row_over_two_lines_does_not_hide_two_rows_in_one(tmp_path: Path) -> None:
    data = b'{"response":"x",\n"target":"x"}\n' + GOOD[:-1] + b" " + GOOD + GOOD
    summary, rows = score_lines(tmp_path, data)
    assert [row["value"] for row in rows] == [None, None, None, 1.0]
    assert summary.bad_lines == 3


@pytest.mark.parametrize("depth", [2_000, 200_000])
def test_deep_nesting_changes_nothing(depth: int, tmp_path: Path) -> None:
    deep = b'{"response":"x","target":"x","m":' + b"[" * depth + b"]" * depth + b"}\n"
    open_ended = deep.replace(b"]}", b"}")
    summary, rows = score_lines(tmp_path, GOOD + deep + GOOD + open_ended)
    assert [row["value"] for row in rows] == [1.0, 1.0, 1.0, None]
    assert summary.bad_lines == 1
    assert rows[3]["reason"].startswith("bad line: not JSON")


def test_deep_errors_and_groups_are_told(tmp_path: Path) -> None:
    deep = b"[" * 3000 + b"]" * 3000
    (tmp_path / "in.jsonl").write_bytes(
        b'{"error":%s}\n{"response":"x","target":"x","by":%s}\n' % (deep, deep)
    )
    summary = score_files(
        ScorerPlan(scorer="exact_match", by="by"), [Source(str(tmp_path / "in.jsonl"))]
    )
    # How deep a value can be written out differs between versions of Python; that it is told does not.
    (reason,) = summary.unscored_reasons
    assert reason == "list that cannot be written" or reason.startswith("[[[")
    names = {group.name for group in summary.breakdown}
    assert "unknown" in names
    assert len(names) == 2


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"response": "output"}, {"output": "x", "target": "x"}),
        ({"response": "output.text"}, {"output": {"text": "x"}, "target": "x"}),
        (
            {"response": "choices.0.message.content"},
            {"choices": [{"message": {"content": "x"}}], "target": "x"},
        ),
        ({"response": "a.b"}, {"a.b": "x", "a": {"b": "y"}, "target": "x"}),
        ({"target": "truth.answer"}, {"response": "1.50", "truth": {"answer": 1.5}}),
        ({"response": "text", "id": "text"}, {"text": "x", "target": "x"}),
    ],
)
def test_fields_may_have_other_names(
    fields: dict[str, str], line: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps(line) + "\n")
    plan = ScorerPlan(scorer="numeric_match" if "truth" in line else "exact_match", fields=fields)
    summary = score_files(plan, [Source(str(tmp_path / "in.jsonl"))])
    assert (summary.scored, summary.mean) == (1, 1.0)


@pytest.mark.parametrize(
    "line",
    [
        {"output": "x", "target": "x"},
        {"output": {"text": [7]}, "target": "x"},
        {"output": {}, "target": "x"},
        {"output": [], "target": "x"},
    ],
)
def test_a_path_that_leads_nowhere_is_a_bad_line(line: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps(line) + "\n")
    plan = ScorerPlan(scorer="exact_match", fields={"response": "output.text"})
    assert score_files(plan, [Source(str(tmp_path / "in.jsonl"))]).bad_lines == 1


@pytest.mark.parametrize("scorer", ["numeric_match", "multichoice_regex"])
def test_a_target_that_cannot_be_read_is_nobodys_wrong_answer(scorer: str, tmp_path: Path) -> None:
    responses = ['"xyz"', '""', "null", "NaN", '"abc"']
    (tmp_path / "in.jsonl").write_text(
        "".join(f'{{"response": {one}, "target": "abc"}}\n' for one in responses)
    )
    options = Options(output=str(tmp_path / "out.jsonl"))
    score_files(ScorerPlan(scorer=scorer), [Source(str(tmp_path / "in.jsonl"))], options)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["value"] for row in rows] == [None] * 5
    assert all(row["reason"].startswith("the target 'abc'") for row in rows)


@pytest.mark.parametrize("key", ['say "it"', "a\\b", "tab\there", "line\nbreak"])
def test_a_key_may_hold_any_character(key: str, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        json.dumps({key: "x", "response": "y", "target": "x"}) + "\n"
    )
    plans = [
        ScorerPlan(scorer="exact_match", fields={"response": key}),
        ScorerPlan(scorer="exact_match", by=key),
    ]
    renamed, grouped = (score_files(plan, [Source(str(tmp_path / "in.jsonl"))]) for plan in plans)
    assert (renamed.mean, grouped.mean, [group.name for group in grouped.breakdown]) == (
        1.0,
        0.0,
        ["x"],
    )
