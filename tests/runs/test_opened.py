"""A run that lies in its folder: its samples stream, and a file that is not what it was is told with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Commands
from runs.support import ANSWERS, TOTAL, Bench, rows
from steelyard import open_run
from steelyard.errors import DataError
from steelyard.models.mock_plan import Rule
from steelyard.runs.opened import Run
from steelyard.runs.sample_row import SampleRow


def opened(folder: Path) -> tuple[Run, list[SampleRow]]:
    found = open_run(folder)
    return found, list(found.samples())


@pytest.fixture
def folder(bench: Bench, tmp_path: Path, steelyard: Commands) -> Path:
    """A run of two attempts at each problem, some of which failed."""
    bench.plan(Rule(contains="What is 7 + 7?", do="status", status=400))
    assert steelyard(*bench.args(tmp_path / "out", "--repeats", 2)).code == 3
    return tmp_path / "out"


def test_everything_that_the_files_say_is_in_the_rows(folder: Path) -> None:
    found, samples = opened(folder)
    assert (found.benchmark, found.model, found.total) == ("mixed", "m", 2 * TOTAL)
    assert found.signature == found.about.signature == found.results["signature"]
    assert found.failures["total_failures"] > 0
    assert [row.key for row in samples] == [row["key"] for row in rows(folder / "scores.jsonl")]
    for row, scored in zip(samples, rows(folder / "scores.jsonl"), strict=True):
        assert (row.value, row.status, row.correct) == (
            scored["value"],
            scored["status"],
            scored["correct"],
        )
        assert row.category == ("open" if row.problem % 5 == 0 else "closed") == scored["category"]
        assert (row.cluster, row.metadata["category"]) == (None, row.category)
        assert row.prompt in ANSWERS
        assert (row.seconds or 0) > 0 or row.error
        assert bool(row.judge) == row.judged == (row.category == "open" and row.status == "scored")
        assert all("score" in reply.text for reply in row.judge)
    failed = [row for row in samples if row.error]
    assert {(row.problem, row.response, row.status, row.value) for row in failed} == {
        (7, None, "unscored", None)
    }
    assert [row.judge for row in open_run(folder).samples(judge=False)] == [()] * (2 * TOTAL)


def test_a_folder_of_an_older_version_opens(folder: Path) -> None:
    path = folder / "scores.jsonl"
    old = [{key: value for key, value in row.items() if key != "category"} for row in rows(path)]
    path.write_text("".join(json.dumps(row) + "\n" for row in old), encoding="utf-8")
    assert {row.category for row in opened(folder)[1]} == {None}


WRONG = [
    ("run.json", lambda text: None, "no run here"),
    ("results.json", lambda text: None, "no results.json yet"),
    ("results.json", lambda text: "[]", "is no JSON object"),
    (
        "run.json",
        lambda text: '{"format": 2, "all": "new"}',
        "run.json: has the format 2; this version",
    ),
    (
        "results.json",
        lambda text: text.replace('"format": 1', '"format": 2'),
        "results.json: has the format 2; this version",
    ),
    ("scores.jsonl", lambda text: None, r"scores.jsonl: cannot be read"),
    ("attempts.jsonl", lambda text: None, r"attempts.jsonl: cannot be read"),
    ("timings.jsonl", lambda text: None, r"timings.jsonl: cannot be read"),
    ("judge.jsonl", lambda text: None, r"judge.jsonl: cannot be read"),
    ("judge.jsonl", lambda text: "", r"scores.jsonl:1: names the judge's call"),
    ("scores.jsonl", lambda text: text[:-5], r"scores.jsonl:120: the line is torn"),
    ("attempts.jsonl", lambda text: text[:-5], r"attempts.jsonl:120: the line is torn"),
    ("judge.jsonl", lambda text: text[:-5], r"judge.jsonl:\d+: the line is torn"),
    (
        "scores.jsonl",
        lambda text: text.replace('"value"', '"worth"'),
        r"scores.jsonl:1: cannot be read",
    ),
    (
        "scores.jsonl",
        lambda text: text.replace('"value":1.0', '"value":5', 1),
        r"scores.jsonl:\d+: .* value is 5;",
    ),
    (
        "scores.jsonl",
        lambda text: text.replace('"value":1.0', '"value":-0.5', 1),
        r"scores.jsonl:\d+: .* value is -0.5;",
    ),
    (
        "scores.jsonl",
        lambda text: text.split("\n", 1)[1],
        r"scores.jsonl:1: is the sample 0.1, and 0.0 is due",
    ),
    (
        "scores.jsonl",
        lambda text: text[: text.rstrip().rindex("\n") + 1],
        r"scores.jsonl:120: ends here",
    ),
    (
        "scores.jsonl",
        lambda text: text + text,
        r"scores.jsonl:121: the run has 120 samples, and here are more",
    ),
    (
        "attempts.jsonl",
        lambda text: text.replace('"id":"3"', '"id":"x"'),
        r"scores.jsonl:7: is about the problem '3'",
    ),
    (
        "timings.jsonl",
        lambda text: text.replace('"3.1"', '"3.2"'),
        r"timings.jsonl:\d+: the run has no sample '3.2'",
    ),
    (
        "timings.jsonl",
        lambda text: text.replace('"3.1"', '"x"'),
        r"timings.jsonl:\d+: the run has no sample 'x'",
    ),
]


def test_a_file_that_is_not_what_it_was_is_told(folder: Path) -> None:
    for name, change, told in WRONG:
        path = folder / name
        before = path.read_text(encoding="utf-8")
        after = change(before)
        path.unlink() if after is None else path.write_text(after, encoding="utf-8")
        with pytest.raises(DataError, match=told):
            opened(folder)
        path.write_text(before, encoding="utf-8")
    opened(folder)


def test_timings_may_come_in_any_order(folder: Path) -> None:
    path = folder / "timings.jsonl"
    before = [row.seconds for row in opened(folder)[1]]
    path.write_text(
        "".join(f"{line}\n" for line in reversed(path.read_text(encoding="utf-8").splitlines())),
        encoding="utf-8",
    )
    assert [row.seconds for row in opened(folder)[1]] == before
