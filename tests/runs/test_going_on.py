"""What a later session takes over from earlier ones, and what it does not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Commands
from runs.support import ANSWERS, BENCH, OPEN, TOTAL, Bench, Nursery, files, results, rows
from steelyard.metrics import classify_failure
from steelyard.models.mock_plan import Rule
from steelyard.runs.lines import AttemptLine
from steelyard.runs.tally import told_error

HIDDEN_JUDGES = {
    "by another name": (
        "import needs_judge, numeric",
        "import needs_judge as later, numeric",
        "later(sample)",
    ),
    "as a dict": (
        "import needs_judge, numeric",
        "import numeric",
        "{'correct': False, 'needs_judge': True}",
    ),
}


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    made = Nursery(tmp_path)
    yield made
    made.close()


def test_an_allowed_change_that_ends_early_is_not_forgotten(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 0
    bench.file.write_text(BENCH.replace('prompt="{q}"', 'prompt="Say: {q}"'), encoding="utf-8")
    stopped = steelyard(*bench.args(folder, "--resume", "--allow-change", "--max-time", 0))
    assert (stopped.code, results(folder)["headline"]["scored"]) == (3, 0)
    asked = bench.server.calls
    steelyard(*bench.args(folder, "--resume"))
    again = [
        prompt
        for number, _, _, prompt in bench.server.requests
        if number > asked and prompt.startswith("Say: ")
    ]
    assert len(again) == TOTAL, "an answer to the old question was taken for one to the new"


def test_tokens_that_were_guessed_count_when_a_run_goes_on(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(usage=False)
    budget = ("--max-tokens", 60, "--concurrency", 1, "--resume")
    assert steelyard(*bench.args(tmp_path / "out", *budget)).code == 3
    asked = bench.server.calls
    assert 0 < asked < TOTAL
    assert results(tmp_path / "out")["tokens"]["untold"] > 0
    again = steelyard(*bench.args(tmp_path / "out", *budget))
    assert (again.code, bench.server.calls) == (3, asked)
    assert "the budget of 60 tokens is used up" in again.err


def test_an_imported_module_that_was_edited_is_a_change(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    helper = bench.file.with_name("helper_of_mine.py")
    helper.write_text("from steelyard import numeric_match as verdict\n", encoding="utf-8")
    with_helper = BENCH.replace("numeric_match(sample)", "verdict(sample)").replace(
        "from steelyard.bench", "from helper_of_mine import verdict\nfrom steelyard.bench"
    )
    bench.file.write_text(with_helper, encoding="utf-8")
    assert steelyard(*bench.args(tmp_path / "out")).code == 0
    assert results(tmp_path / "out")["headline"]["correct"] > OPEN
    helper.write_text("from steelyard import exact_match as verdict\n", encoding="utf-8")
    refused = steelyard(*bench.args(tmp_path / "out", "--resume"))
    assert refused.code == 2
    assert "benchmark.code" in refused.err
    assert steelyard(*bench.args(tmp_path / "out", "--resume", "--allow-change")).code == 0
    assert results(tmp_path / "out")["headline"]["correct"] == OPEN, "the former module scored"


@pytest.mark.parametrize("way", HIDDEN_JUDGES)
def test_a_judge_that_only_trying_shows_is_missed_before_the_first_call(
    bench: Bench, tmp_path: Path, steelyard: Commands, way: str
) -> None:
    before, after, call = HIDDEN_JUDGES[way]
    text = BENCH.replace(before, after).replace("needs_judge(sample)", call)
    bench.file.write_text(text, encoding="utf-8")
    refused = steelyard(*bench.args(tmp_path / "out", judge=False))
    assert (refused.code, bench.server.calls) == (2, 0), refused.err
    assert "needs a judge, and none is named" in refused.err
    assert not (tmp_path / "out").exists()


def test_a_judge_that_is_missed_later_stops_the_run_and_may_be_named_then(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    """Only the very answer to one problem is left to the judge."""
    rare = BENCH.replace("needs_judge, ", "needs_judge as later, ").replace(
        'needs_judge(sample) if sample.metadata["kind"] == "open"',
        'later(sample) if sample.response == "Answer: 8"',
    )
    bench.file.write_text(rare, encoding="utf-8")
    bench.plan(delay=0.02)
    stopped = steelyard(*bench.args(tmp_path / "out", "--concurrency", 1, judge=False))
    assert stopped.code == 3
    assert "sample 4.0 needs a judge, and none is named" in stopped.err
    asked = bench.server.calls
    assert asked < TOTAL
    assert steelyard(*bench.args(tmp_path / "out", "--resume")).code == 0
    assert len(bench.prompts()) == TOTAL, "nothing was asked for twice"
    assert rows(tmp_path / "out" / "scores.jsonl")[4]["judged"] is True
    assert steelyard(*bench.args(tmp_path / "whole")).code == 0
    assert files(tmp_path / "out") == files(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "category"),
    [
        (
            Rule(
                contains="What is 7 + 7?",
                do="status",
                status=400,
                text="unknown field 'timeout', rate limit 429",
            ),
            "model_error",
        ),
        (Rule(contains="What is 7 + 7?", do="status", status=504, text="no"), "timeout"),
    ],
)
def test_the_kind_of_an_error_decides_and_not_its_words(
    bench: Bench, tmp_path: Path, steelyard: Commands, rule: Rule, category: str
) -> None:
    bench.plan(rule)
    steelyard(*bench.args(tmp_path / "out"))
    told = json.loads((tmp_path / "out" / "failure_analysis.json").read_text(encoding="utf-8"))
    assert {name for name, found in told["categories"].items() if found["count"]} - {
        "wrong_answer"
    } == {category}


def test_a_call_that_was_refused_was_asked(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(Rule(do="status", status=401))
    assert steelyard(*bench.args(tmp_path / "out")).code == 3
    coverage = results(tmp_path / "out")["coverage"]
    assert coverage["asked"] == coverage["model_errors"]["refused"] == bench.server.calls
    told = [row["reason"] for row in rows(tmp_path / "out" / "scores.jsonl")]
    assert (
        sum("the model did not answer (refused)" in reason for reason in told) == bench.server.calls
    )
    bench.plan()
    assert steelyard(*bench.args(tmp_path / "out", "--resume")).code == 0


def test_a_run_without_results_says_how_it_goes_on(
    bench: Bench, nursery: Nursery, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(delay=0.05)
    pid = nursery.start(bench.args(tmp_path / "out"))
    while bench.server.calls < TOTAL // 3:
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    nursery.wait(pid)
    for command in ("show", "report"):
        told = steelyard("eval", command, tmp_path / "out")
        assert told.code == 2
        assert "the run has not come to its end; eval run --resume goes on with it" in told.err


def test_sigterm_keeps_what_there_is_and_ends_with_143(
    bench: Bench, nursery: Nursery, tmp_path: Path
) -> None:
    bench.plan(delay=0.05)
    pid = nursery.start(bench.args(tmp_path / "out"))
    while bench.server.calls < TOTAL // 3:
        time.sleep(0.005)
    os.kill(pid, signal.SIGTERM)
    assert nursery.wait(pid) == 143, nursery.printed()
    assert 0 < results(tmp_path / "out")["headline"]["scored"] < TOTAL


def test_a_run_knows_its_benchmark_from_any_folder(
    bench: Bench, tmp_path: Path, steelyard: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bench.file.parent)
    args = bench.args(tmp_path / "out")
    args[args.index(str(bench.file))] = bench.file.name
    assert steelyard(*args).code == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / bench.file.name).write_text(
        BENCH.replace("numeric_match", "exact_match"), encoding="utf-8"
    )
    monkeypatch.chdir(elsewhere)
    again = steelyard("eval", "rescore", tmp_path / "out")
    assert "no sample flipped" in again.out, again


def test_a_parameter_that_json_cannot_hold_is_refused(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    refused = steelyard(*bench.args(tmp_path / "out", "--param", "top_p=NaN"))
    assert (refused.code, bench.server.calls) == (2, 0)
    assert "NaN is no number that JSON can hold" in refused.err
    assert len(ANSWERS) == TOTAL


@pytest.mark.parametrize(
    ("scorer", "row", "said"),
    [
        ("tests", {"target": "x"}, "the target is no task"),
        ("code_sandbox", {"target": "x"}, "code_sandbox needs a test"),
        ("script", {"target": "x"}, "script needs the parameter 'script'"),
    ],
)
def test_rows_that_cannot_be_scored_by_are_told_before_the_first_call(
    bench: Bench,
    tmp_path: Path,
    steelyard: Commands,
    scorer: str,
    row: dict[str, object],
    said: str,
) -> None:
    folder = tmp_path / "bench"
    folder.mkdir()
    (folder / "rows.jsonl").write_text(
        json.dumps({"id": "a", "q": "Write it.", **row}) + "\n", encoding="utf-8"
    )
    manifest = f'name = "programs"\ndataset = "rows.jsonl"\nprompt = "{{q}}"\nscorer = "{scorer}"\n'
    (folder / "benchmark.toml").write_text(manifest, encoding="utf-8")
    args = bench.args(tmp_path / "out", judge=False)
    args[args.index(str(bench.file))] = str(folder)
    refused = steelyard(*args)
    assert (refused.code, bench.server.calls) == (2, 0), refused.err
    assert said in refused.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("scorer", ["tests", "code_sandbox"])
def test_a_sandbox_that_is_missing_is_told_before_the_first_call(
    tmp_path: Path, scorer: str
) -> None:
    task = {"kind": "function", "entry_point": "double", "cases": [[[2], 4]]}
    row = {"id": "a", "q": "Write it.", "target": task, "_test": "assert double(2) == 4"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (tmp_path / "replies.jsonl").write_text(
        '{"id": "a", "text": "def double(x): return 2 * x"}\n', encoding="utf-8"
    )
    manifest = f'name = "programs"\ndataset = "rows.jsonl"\nprompt = "{{q}}"\nscorer = "{scorer}"\n'
    (tmp_path / "benchmark.toml").write_text(manifest, encoding="utf-8")
    # A process of its own: this one may have a sandbox open.
    command = [
        sys.executable,
        "-m",
        "steelyard",
        "eval",
        "run",
        "--bench",
        "./",
        "--recorded",
        "replies.jsonl",
        "-o",
        "out",
    ]
    nowhere = {**os.environ, "PATH": "/nowhere"}
    refused = subprocess.run(
        command, cwd=tmp_path, env=nowhere, capture_output=True, text=True, timeout=60, check=False
    )
    assert refused.returncode == 2
    assert "sandbox: bubblewrap is not installed" in refused.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("kind", "error", "told"),
    [
        ("bad_request", "status 400: unknown field 'timeout', rate limit 429", "model_error"),
        ("missing", "replies.jsonl has no reply to 'timeout', repeat 0", "model_error"),
        ("connection", "the connection to http://127.0.0.1:429/v1 failed", "model_error"),
        ("timeout", "no reply in time", "timeout"),
        ("rate_limit", "slow down", "rate_limit"),
        ("", "HTTP 429: Too Many Requests", "rate_limit"),
    ],
)
def test_words_are_read_only_where_there_is_no_kind(kind: str, error: str, told: str) -> None:
    found = told_error(AttemptLine(key="0.0", asked="", error=error, error_kind=kind))
    assert classify_failure("", error=found) == told
