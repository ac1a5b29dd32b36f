"""Runs by the command: what is told, what is refused, what stays open, and what a later session finishes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from runs.support import ANSWERS, BENCH, JUDGE_CALLS, OPEN, TOTAL, Bench, files, results, rows
from steelyard.models.mock_plan import Rule

OUTAGE = Rule(contains="work-", do="status", status=401)
UNREADABLE = Rule(contains="work-", text="I would rather not say.")
BAD_REQUEST = Rule(contains="What is 7 + 7?", do="status", status=400)


def test_a_run_writes_what_it_should(bench: Bench, tmp_path: Path, steelyard: Commands) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)) == (0, "", "")
    assert {path.name for path in folder.iterdir()} == {
        "run.json",
        "journal.jsonl",
        "timings.jsonl",
        "attempts.jsonl",
        "scores.jsonl",
        "judge.jsonl",
        "results.json",
        "failure_analysis.json",
        "report.md",
        "report.html",
    }
    assert bench.server.calls == TOTAL + JUDGE_CALLS
    assert len(rows(folder / "judge.jsonl")) == JUDGE_CALLS
    head = results(folder)["headline"]
    right = sum(1 for n in range(TOTAL) if n % 5 == 0 or n % 3)
    assert (head["correct"], head["scored"], head["total"]) == (right, TOTAL, TOTAL)
    assert head["interval"] == "wilson"
    assert results(folder)["categories"]["open"]["value"] == 1.0
    scored = rows(folder / "scores.jsonl")
    assert scored[5]["judged"] is True
    assert scored[5]["detail"]["calls"] == [rows(folder / "judge.jsonl")[2]["key"]]
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["status"] == "complete"


def test_files_hold_no_time_and_no_machine(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    for name in ("one", "two"):
        assert steelyard(*bench.args(tmp_path / name, "--repeats", 2, "--seed", 3)).code == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_going_on_with_a_finished_run_asks_nothing(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    assert steelyard(*bench.args(tmp_path / "out")).code == 0
    before, calls = files(tmp_path / "out"), bench.server.calls
    assert steelyard(*bench.args(tmp_path / "out", "--resume")).code == 0
    assert (files(tmp_path / "out"), bench.server.calls) == (before, calls)
    refused = steelyard(*bench.args(tmp_path / "out"))
    assert refused.code == 2
    assert "--resume goes on with it" in refused.err


def test_more_repeats_ask_only_for_those(bench: Bench, tmp_path: Path, steelyard: Commands) -> None:
    assert steelyard(*bench.args(tmp_path / "out", "--max-problems", 10)).code == 0
    assert (
        steelyard(
            *bench.args(tmp_path / "out", "--max-problems", 20, "--repeats", 2, "--resume")
        ).code
        == 0
    )
    assert len(bench.prompts()) == 40
    assert (
        steelyard(*bench.args(tmp_path / "whole", "--max-problems", 20, "--repeats", 2)).code == 0
    )
    assert files(tmp_path / "out") == files(tmp_path / "whole")


@pytest.mark.parametrize(
    ("rule", "status", "reason"),
    [
        (OUTAGE, "pending", "the judge could not be asked"),
        (UNREADABLE, "unscored", "the judge's verdict could not be read in 3 tries"),
    ],
)
def test_a_judge_that_fails_leaves_samples_open_and_a_later_session_finishes_them(
    bench: Bench, tmp_path: Path, steelyard: Commands, rule: Rule, status: str, reason: str
) -> None:
    assert steelyard(*bench.args(tmp_path / "whole")).code == 0
    bench.plan(rule)
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 3
    head = results(folder)["headline"]
    assert (head["scored"], head[status]) == (TOTAL - OPEN, OPEN)
    assert head["best"] - head["worst"] == pytest.approx(OPEN / TOTAL)
    assert head["worst"] <= head["value"] <= head["best"]
    opened = [row for row in rows(folder / "scores.jsonl") if row["status"] != "scored"]
    assert {row["value"] for row in opened} == {None}
    assert all(reason in row["reason"] for row in opened)
    bench.plan()
    asked = bench.server.calls
    code = steelyard(*bench.args(folder, "--resume")).code
    assert not bench.prompts(asked), "the model was asked again"
    if status == "pending":
        assert code == 0
        assert files(folder) == files(tmp_path / "whole")
    else:
        assert (code, bench.server.calls) == (3, asked), (
            "a stored reply is read again, not asked for again"
        )


def test_a_request_that_fails_is_no_zero_and_is_asked_again(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    assert steelyard(*bench.args(tmp_path / "whole")).code == 0
    bench.plan(BAD_REQUEST)
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 3
    row = rows(folder / "scores.jsonl")[7]
    assert (row["value"], row["status"], row["failure"]) == (None, "unscored", "model_error")
    assert "the model did not answer (bad_request)" in row["reason"]
    assert rows(folder / "attempts.jsonl")[7]["response"] is None
    bench.plan()
    asked = bench.server.calls
    assert steelyard(*bench.args(folder, "--resume")).code == 0
    assert bench.prompts(asked) == ["What is 7 + 7?"]
    assert files(folder) == files(tmp_path / "whole")


def test_a_scorer_with_a_bug_leaves_its_samples_unscored(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    buggy = BENCH.replace(
        "numeric_match(sample)", 'numeric_match(sample) if "7" not in sample.target else 1 / 0'
    )
    bench.file.write_text(buggy, encoding="utf-8")
    assert steelyard(*bench.args(tmp_path / "out")).code == 3
    opened = [row for row in rows(tmp_path / "out" / "scores.jsonl") if row["value"] is None]
    assert len(opened) == sum("7" in str(2 * n) for n in range(TOTAL) if n % 5)
    assert {row["reason"] for row in opened} == {
        "the scorer failed: ZeroDivisionError: division by zero (my_bench.py:11)"
    }
    shown = steelyard("eval", "show", tmp_path / "out")
    assert f"{TOTAL - len(opened)} / {TOTAL}" in shown.out
    assert "worst to best" in shown.out


def test_a_key_that_is_refused_stops_the_run_with_one_line(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(Rule(do="status", status=401))
    done = steelyard(*bench.args(tmp_path / "out"))
    assert done.code == 3
    assert "the run stopped: the endpoint refuses us" in done.err
    assert bench.server.calls <= 8
    bench.plan()
    assert steelyard(*bench.args(tmp_path / "out", "--resume")).code == 0


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (["--max-tokens", 100], "the budget of 100 tokens is used up"),
        (
            ["--max-cost", 0.0001, "--price-in", 1, "--price-out", 1],
            "the budget of 0.0001 is used up",
        ),
        (["--max-time", 0], "the time of 0 seconds is over"),
    ],
)
def test_a_budget_stops_the_run(
    bench: Bench, tmp_path: Path, steelyard: Commands, budget: list[object], said: str
) -> None:
    done = steelyard(*bench.args(tmp_path / "out", *budget))
    assert done.code == 3
    assert said in done.err
    head, asked = results(tmp_path / "out")["headline"], bench.server.calls
    assert head["scored"] < head["total"]
    again = steelyard(*bench.args(tmp_path / "out", "--resume", *budget))
    assert (again.code, bench.server.calls) == (3, asked), "a budget is for the whole run"


@pytest.mark.parametrize(
    ("more", "change", "path"),
    [
        (["--temperature", 0.5], None, "parameters.temperature: nothing → 0.5"),
        (["--model-id", "other"], None, 'model.name: "m" → "other"'),
        (["--judge-id", "other"], None, 'judge.model.name: "j" → "other"'),
        (["--system-prompt", "Be brief."], None, 'system_prompt: nothing → "Be brief."'),
        ([], ('prompt="{q}"', 'prompt="Say: {q}"'), 'benchmark.prompt: "{q}" → "Say: {q}"'),
        ([], ("2 * n", "3 * n"), "benchmark.dataset: "),
        ([], ("return needs_judge", "return  needs_judge"), "benchmark."),
    ],
)
def test_what_has_changed_is_refused_and_shown(
    bench: Bench,
    tmp_path: Path,
    steelyard: Commands,
    more: list[object],
    change: tuple[str, str] | None,
    path: str,
) -> None:
    assert steelyard(*bench.args(tmp_path / "out")).code == 0
    if change:
        bench.file.write_text(BENCH.replace(*change), encoding="utf-8")
    before, asked = (tmp_path / "out" / "run.json").read_bytes(), bench.server.calls
    refused = steelyard(*bench.args(tmp_path / "out", "--resume", *more))
    assert refused.code == 2
    assert path in refused.err
    assert "--allow-change" in refused.err
    assert ((tmp_path / "out" / "run.json").read_bytes(), bench.server.calls) == (before, asked)


def test_a_change_that_is_allowed_asks_only_what_is_asked_otherwise(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 0
    bench.file.write_text(
        BENCH.replace(
            "range(60)]", 'range(60)]\nROWS[3]["q"] = "What is 1 + 1?"\nROWS[4]["target"] = 9'
        )
    )
    asked = bench.server.calls
    assert steelyard(*bench.args(folder, "--resume", "--allow-change")).code == 0
    assert bench.prompts(asked) == ["What is 1 + 1?"]
    scored = rows(folder / "scores.jsonl")
    assert (scored[4]["target"], scored[4]["correct"]) == ("9", False)
    assert rows(folder / "attempts.jsonl")[3]["response"] == ANSWERS["What is 1 + 1?"]
    assert any(change.startswith("benchmark.dataset") for change in results(folder)["changes"])


def test_without_a_judge_nothing_is_begun(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    refused = steelyard(*bench.args(tmp_path / "out", judge=False))
    assert refused.code == 2
    assert "needs a judge" in refused.err
    assert not (tmp_path / "out").exists()
    assert bench.server.calls == 0


def test_a_dry_run_asks_nobody_and_writes_nothing(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    prices = ("--price-in", 1, "--price-out", 2, "--max-output-tokens", 10)
    done = steelyard(*bench.args(tmp_path / "out", "--dry-run", "--repeats", 3, "--json", *prices))
    told: dict[str, Any] = json.loads(done.out)
    assert (done.code, told["calls"], told["judge_calls"]) == (0, 3 * TOTAL, 3 * TOTAL + 1)
    assert told["prompts"][1] == [{"role": "user", "content": "What is 1 + 1?"}]
    assert told["output_tokens"] == 30 * TOTAL
    judge = told["judge"]
    assert judge["output_tokens"] == (3 * TOTAL + 1) * 1024, (
        "as long as the judge's own settings allow"
    )
    assert judge["input_tokens"] > 3 * TOTAL * 50, (
        "the rubric, the question and the fence go with every call"
    )
    spent = [told[name] + judge[name] for name in ("input_tokens", "output_tokens")]
    assert told["cost"] == pytest.approx((spent[0] + 2 * spent[1]) / 1e6)
    assert not (tmp_path / "out").exists()
    assert bench.server.calls == 0
