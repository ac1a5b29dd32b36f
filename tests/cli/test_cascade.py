"""Unclear and missing answers that are left to a judge: score, eval run, eval rescore and specs."""

from __future__ import annotations

import json
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from endpoints import COMMAND, endpoint

RESPONSES = {
    "right": ("Answer: 41 or 42", "42"),
    "wrong": ("Answer: 41 or 43", "42"),
    "found": ("Answer: 41", "41"),
    "missing": ("I do not know.", "2"),
    "empty": ("", "3"),
}
BENCH = """
from steelyard import benchmark, numeric_match

@benchmark(name="sums", dataset="rows.jsonl", prompt="{id}?")
def sums(sample):
    return numeric_match(sample)
"""
SPEC = {
    "type": "judged",
    "unclear": "judge",
    "dimensions": [
        {"name": "accuracy", "weight": 0.75, "scorer": "numeric_match", "field": "n"},
        {"name": "coverage", "weight": 0.25, "primitive": "exact_match", "field": "exact"},
    ],
}


def verdict(score: int) -> str:
    return f'Reason: as asked\n{{tag}} {{"score": {score}}}'


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[str]:
    """A judge that gives 5 of 5 to "41 or 42", and 1 of 5 to everything else."""
    rules = [{"contains": "41 or 42", "text": verdict(5)}, {"text": verdict(1)}]
    with endpoint(tmp_path, {}, *rules) as url:
        yield url


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    rows = [{"id": i, "response": r, "target": t} for i, (r, t) in RESPONSES.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    (tmp_path / "bench.py").write_text(BENCH)
    rows = [{"id": i, "target": t} for i, (_, t) in RESPONSES.items()]
    recorded = [{"id": i, "response": r} for i, (r, _) in RESPONSES.items()]
    for name, lines in (("rows", rows), ("recorded", recorded)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines))
    return tmp_path / "bench.py"


def asked(url: str) -> int:
    with urllib.request.urlopen(url.removesuffix("/v1") + "/log") as log:
        return int(json.load(log)["calls"])


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def score(steelyard: Commands, answers: Path, *options: object) -> Any:
    ran = steelyard("score", "--scorer", "numeric_match", answers, "--json", *options)
    assert ran.code in {0, 1}, ran.err
    return json.loads(ran.out)


def test_only_unclear_answers_are_judged(
    steelyard: Commands, answers: Path, judge: str, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    options = ("--unclear", "judge", "--judge-url", judge, "--judge-id", "j", "-o", out)
    summary = score(steelyard, answers, *options)
    assert summary["mean"] == 0.4
    assert summary["reading"]["judge"] == {
        "asked": 2,
        "decided": 2,
        "changed": 1,
        "mean_by_rules": 0.2,
    }
    values = {line["id"]: line["value"] for line in lines(out)}
    assert values == {"right": 1, "wrong": 0, "found": 1, "missing": 0, "empty": 0}
    assert {line["id"] for line in lines(out) if "judge" in line["detail"]} == {"right", "wrong"}
    assert len(lines(tmp_path / "out.judge.jsonl")) == 2
    again = score(steelyard, answers, *options)
    assert again["mean"] == 0.4
    assert asked(judge) == 2  # stored calls are not asked again


def test_missing_answers_are_judged_but_no_empty_response(
    steelyard: Commands, answers: Path, judge: str, tmp_path: Path
) -> None:
    options = ("--missing", "judge", "--judge-url", judge, "--judge-id", "j")
    store = tmp_path / "calls.jsonl"
    summary = score(steelyard, answers, *options, "--judge-store", store)
    assert summary["reading"]["judge"]["asked"] == 1
    assert len(lines(store)) == 1


def test_a_judge_out_of_reach_leaves_answers_pending(
    steelyard: Commands, answers: Path, tmp_path: Path
) -> None:
    nobody = ("--judge-url", "http://127.0.0.1:9/v1", "--judge-id", "j")
    summary = score(steelyard, answers, "--unclear", "judge", *nobody, "-o", tmp_path / "out.jsonl")
    assert (summary["scored"], summary["pending"]) == (3, 2)
    assert summary["reading"]["mean_if_unclear_right"] == 0.6
    assert summary["reading"]["judge"]["mean_by_rules"] == 0.2


def test_a_scorer_in_a_file_can_leave_answers_to_the_judge(
    steelyard: Commands, answers: Path, bench: Path, judge: str, tmp_path: Path
) -> None:
    judged = ("--unclear", "judge", "--judge-url", judge, "--judge-id", "j")
    out = tmp_path / "out.jsonl"
    ran = steelyard("score", "--scorer", f"{bench}:sums", answers, *judged, "-o", out)
    assert ran.code == 0, ran.err
    assert [line["value"] for line in lines(out)] == [1, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--unclear", "judge"], "--unclear judge needs a judge"),
        (["--missing", "judge"], "--missing judge needs a judge"),
        (["--judge-id", "j"], "--judge-id needs --judge-url"),
        (["--judge-url", "http://127.0.0.1:9"], "--judge-url needs --judge-id"),
        (["--judge-url", "http://127.0.0.1:9", "--judge-id", "j"], "--judge-store"),
        (
            ["--judge-url", "http://127.0.0.1:9", "--judge-id", "j", "--judge-store", "{}"],
            "would not be asked",
        ),
    ],
)
def test_a_judge_that_is_missing_or_not_needed_is_refused(
    options: list[str], message: str, steelyard: Commands, answers: Path, tmp_path: Path
) -> None:
    given = [option.format(tmp_path / "calls.jsonl") for option in options]
    ran = steelyard("score", "--scorer", "numeric_match", answers, *given)
    assert ran.code == 2
    assert message in ran.err
    assert "mean" not in ran.out


def test_a_scorer_that_reads_no_answer_is_refused(
    steelyard: Commands, answers: Path, judge: str, tmp_path: Path
) -> None:
    judged = ("--unclear", "judge", "--judge-url", judge, "--judge-id", "j")
    ran = steelyard(
        "score", "--scorer", "json_schema", answers, *judged, "-o", tmp_path / "out.jsonl"
    )
    assert ran.code == 2
    assert "reads no answer" in ran.err


def run(steelyard: Commands, bench: Path, out: Path, *options: object) -> Any:
    recorded = bench.parent / "recorded.jsonl"
    return steelyard(
        "eval", "run", "--bench", bench, "--recorded", recorded, "-o", out, "-q", *options
    )


def test_a_run_and_its_rescore_agree(
    steelyard: Commands, bench: Path, judge: str, tmp_path: Path
) -> None:
    judged = ("--unclear", "judge", "--judge-url", judge, "--judge-id", "j")
    direct, plain, rescored = (tmp_path / name for name in ("direct", "plain", "rescored"))
    assert run(steelyard, bench, direct, *judged).code == 0
    assert run(steelyard, bench, plain).code == 0
    ran = steelyard("eval", "rescore", plain, *judged, "-o", rescored)
    assert ran.code == 0, ran.err
    assert "by rules alone  score 0.2000" in ran.out
    assert (direct / "scores.jsonl").read_bytes() == (rescored / "scores.jsonl").read_bytes()
    assert "judge changed" in (direct / "report.md").read_text()
    # Later commands know what the judge decided in the run.
    for command in (["rescore", direct], ["rejudge", direct, "--offline"]):
        assert "no sample flipped" in steelyard("eval", *command).out


def test_a_run_without_a_judge_is_refused_before_it_begins(
    steelyard: Commands, bench: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ran = run(steelyard, bench, out, "--unclear", "judge")
    assert ran.code == 2
    assert "needs a judge" in ran.err
    assert not out.exists()
    assert run(steelyard, bench, out).code == 0
    ran = steelyard("eval", "rescore", out, "--unclear", "judge")
    assert ran.code == 2
    assert "needs a judge" in ran.err


def test_a_judged_spec_leaves_unclear_fields_to_the_judge(
    steelyard: Commands, judge: str, tmp_path: Path
) -> None:
    spec, rows, out = (tmp_path / name for name in ("spec.json", "rows.jsonl", "out.jsonl"))
    spec.write_text(json.dumps(SPEC))
    submissions = [{"n": RESPONSES[name][0], "exact": 1} for name in ("right", "wrong")]
    truth = {"n": "42", "exact": 1}
    rows.write_text(
        "".join(json.dumps({"submission": s, "truth": truth}) + "\n" for s in submissions)
    )
    refused = steelyard("score", "--spec", spec, rows)
    assert (refused.code, "needs a judge" in refused.err) == (2, True)
    ran = steelyard(
        "score", "--spec", spec, rows, "--judge-url", judge, "--judge-id", "j", "-o", out
    )
    assert ran.code == 0, ran.err
    assert [line["detail"]["score"] for line in lines(out)] == [1000, 250]


def test_a_spec_that_promises_no_judge_cannot_ask_one(steelyard: Commands, tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps({**SPEC, "type": "deterministic"}))
    ran = steelyard("lint", spec)
    assert ran.code == 2
    assert "unclear: asks a judge" in ran.err + ran.out


def test_a_store_that_is_another_file_is_refused_and_kept(
    steelyard: Commands, answers: Path, judge: str, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes, without an end of line")
    options = ("--unclear", "judge", "--judge-url", judge, "--judge-id", "j")
    ran = steelyard("score", "--scorer", "numeric_match", answers, *options, "--judge-store", notes)
    assert ran.code == 2
    assert f"{notes}:1: not a call of a judge" in ran.err
    assert notes.read_text() == "my notes, without an end of line"


def test_criteria_in_the_metadata_do_not_decide_an_unclear_answer(
    steelyard: Commands, judge: str, tmp_path: Path
) -> None:
    rows, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    texts = {"unusable": "be right", "usable": ["is polite"]}
    rows.write_text(
        "".join(
            json.dumps(
                {
                    "id": name,
                    "response": "Answer: 41 or 42",
                    "target": "42",
                    "metadata": {"criteria": criteria},
                }
            )
            + "\n"
            for name, criteria in texts.items()
        )
    )
    options = ("--unclear", "judge", "--judge-url", judge, "--judge-id", "j", "-o", out)
    summary = score(steelyard, rows, *options)
    assert summary["mean"] == 1
    assert summary["reading"]["judge"]["decided"] == 2


def test_the_summary_of_a_spec_counts_the_answers_of_its_dimensions(
    steelyard: Commands, judge: str, tmp_path: Path
) -> None:
    spec, rows = tmp_path / "spec.json", tmp_path / "rows.jsonl"
    spec.write_text(json.dumps(SPEC))
    rows.write_text(
        "".join(
            json.dumps(
                {
                    "submission": {"n": RESPONSES[name][0], "exact": 1},
                    "truth": {"n": "42", "exact": 1},
                }
            )
            + "\n"
            for name in ("right", "wrong", "missing", "found")
        )
    )
    judged = ("--judge-url", judge, "--judge-id", "j", "--judge-store", tmp_path / "calls.jsonl")
    ran = steelyard("score", "--spec", spec, rows, *judged, "--json")
    reading = json.loads(ran.out)["reading"]
    assert {name: reading[name] for name in ("found", "unclear", "missing")} == {
        "found": 1,
        "unclear": 2,
        "missing": 1,
    }
    assert reading["judge"]["changed"] == 1


def test_ctrl_c_does_not_wait_for_a_judge_that_hangs(answers: Path, tmp_path: Path) -> None:
    with endpoint(tmp_path, {}, {"do": "hang"}) as url:
        judged = ["--unclear", "judge", "--judge-url", url, "--judge-id", "j"]
        command = [*COMMAND, "score", "--scorer", "numeric_match", str(answers), *judged]
        with subprocess.Popen([*command, "-o", str(tmp_path / "out.jsonl"), "-q"]) as process:
            while not asked(url):
                assert process.poll() is None
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 130
