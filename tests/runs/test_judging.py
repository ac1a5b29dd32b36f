"""The judge of a run: outages, unreadable verdicts, lost replies, budgets; none of them is ever a zero."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from judge.scripted import verdict
from runs.support import BENCH, JUDGE_CALLS, OPEN, TOTAL, Bench, files, results, rows
from steelyard.models.mock_plan import Plan, Rule

CLOSED = TOTAL - OPEN
SHOWN = "work-"  # only a judge is shown marks


def about(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return found


def closed_denominator(folder: Path, **want: int) -> None:
    """Total is scored, pending and unscored together, the bounds are told, and nothing that is missing is a zero."""
    head = results(folder)["headline"]
    assert {key: head[key] for key in want} == want
    assert head["scored"] + head["pending"] + head["unscored"] == head["total"] == TOTAL
    missing = head["total"] - head["scored"]
    assert head["best"] - head["worst"] == pytest.approx(missing / TOTAL)
    assert head["worst"] <= head["value"] <= head["best"]
    lines = rows(folder / "scores.jsonl")
    without = [line for line in lines if line["status"] != "scored"]
    assert len(without) == missing
    assert all(line["value"] is None and line["reason"] for line in without)
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert f"{head['scored']} / {TOTAL}" in report


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (Rule(contains=SHOWN, do="status", status=401), "refuses us"),
        (Rule(contains=SHOWN, do="status", status=403), "refuses us"),
        (Rule(contains=SHOWN, do="status", status=404), "not there"),
        (Rule(contains=SHOWN, do="status", status=429, retry_after=9999.0), "asks for a wait"),
    ],
    ids=["401", "403", "404", "429 for hours"],
)
def test_a_judge_that_refuses_everybody_stops_the_run_with_a_clear_line(
    rule: Rule, told: str, bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(rule)
    ran = steelyard(*bench.args(tmp_path / "out"))
    assert ran.code == 3
    assert "error: the run stopped: the judge could not be asked" in ran.err
    assert told in ran.err
    assert "--resume goes on" in ran.err
    assert (about(tmp_path / "out")["status"], told in about(tmp_path / "out")["stopped"]) == (
        "stopped",
        True,
    )
    closed_denominator(tmp_path / "out", scored=CLOSED, pending=OPEN, unscored=0)
    asked = len(bench.prompts())
    bench.plan()
    assert steelyard(*bench.args(tmp_path / "out", "--resume")).code == 0
    assert len(bench.prompts()) == asked == TOTAL
    assert (about(tmp_path / "out")["status"], about(tmp_path / "out").get("stopped", "")) == (
        "complete",
        "",
    )


def test_some_outages_leave_those_samples_pending(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(Rule(contains="Question:\nWhat is 10 + 10?", do="status", status=400))
    ran = steelyard(*bench.args(tmp_path / "out"))
    assert ran.code == 3
    closed_denominator(tmp_path / "out", scored=TOTAL - 1, pending=1, unscored=0)
    (missing,) = (
        line for line in rows(tmp_path / "out" / "scores.jsonl") if line["status"] == "pending"
    )
    assert "the judge could not be asked" in missing["reason"]


@pytest.mark.parametrize(
    "text",
    [
        *("I would rather not say.", "Score: 5", '{"score": 5}', '{tag} {"score": 0}', ""),
        # an earlier version raised an exception here, and on every resume
        'The code says "return {}" which is right.\nScore: 4',
    ],
)
def test_an_unreadable_verdict_is_unscored_and_never_zero(
    text: str, bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(
        Rule(contains=SHOWN, text=text)
        if text
        else Rule(contains=SHOWN, do="garbage", garbage="null")
    )
    ran = steelyard(*bench.args(tmp_path / "out"))
    assert ran.code == 3
    expected = {"unscored": OPEN, "pending": 0} if text else {}
    closed_denominator(tmp_path / "out", scored=CLOSED, **expected)
    reasons = {
        line["reason"]
        for line in rows(tmp_path / "out" / "scores.jsonl")
        if line["status"] != "scored"
    }
    assert all("judge" in reason for reason in reasons)
    if text:
        kept = rows(tmp_path / "out" / "judge.jsonl")
        assert len(kept) == 3 * JUDGE_CALLS  # asked again, a bounded number of times
    bench.plan()
    assert steelyard(*bench.args(tmp_path / "out", "--resume")).code in {0, 3}


def test_a_bug_of_the_scorer_is_unscored_and_never_zero(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bug = "    if sample.target == '14': raise KeyError('typo')\n    return needs"
    bench.file.write_text(BENCH.replace("    return needs", bug), encoding="utf-8")
    ran = steelyard(*bench.args(tmp_path / "out"))
    assert ran.code == 3
    closed_denominator(tmp_path / "out", scored=TOTAL - 1, pending=0, unscored=1)
    (missing,) = (
        line for line in rows(tmp_path / "out" / "scores.jsonl") if line["status"] != "scored"
    )
    assert "typo" in missing["reason"]


def test_what_asking_again_cannot_mend_is_told(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    args = [part for part in bench.args(tmp_path / "out") if part != "-q"]
    bench.plan(Rule(contains=SHOWN, text="I would rather not say."))
    assert "--resume asks for nothing more; eval rescore and eval rejudge" in steelyard(*args).out
    bench.plan(Rule(contains=SHOWN, do="status", status=401))
    args[args.index(str(tmp_path / "out"))] = str(tmp_path / "other")
    assert "--resume goes on with the run" in steelyard(*args).out


def test_what_the_judge_took_counts_in_the_budget_of_the_next_session(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    whole = tmp_path / "whole"
    assert steelyard(*bench.args(whole)).code == 0
    model, judge = results(whole)["tokens"], results(whole)["judge_tokens"]
    budget = model["input"] + model["output"] + (judge["input"] + judge["output"]) // 2
    args = [*bench.args(tmp_path / "out", "--max-tokens", budget), "--concurrency", "1"]
    ran = steelyard(*args)
    assert ran.code == 3
    assert "the budget of" in ran.err
    assert about(tmp_path / "out")["status"] == "stopped"
    judged = len(rows(tmp_path / "out" / "judge.jsonl"))
    assert 0 < judged < JUDGE_CALLS
    for _ in range(3):
        assert steelyard(*args, "--resume").code == 3
    assert len(rows(tmp_path / "out" / "judge.jsonl")) == judged
    assert steelyard(*bench.args(tmp_path / "out", "--resume")).code == 0
    assert files(tmp_path / "out") == files(whole)


def test_tokens_of_the_judge_that_are_not_told_are_estimated_each_session(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(usage=False)
    args = [*bench.args(tmp_path / "out", "--max-tokens", 2000), "--concurrency", "1"]
    spent = []
    for _ in range(3):
        assert steelyard(*args, "--resume").code == 3
        spent.append(bench.server.calls)
    assert len(set(spent[-2:])) == 1


def unnoted(folder: Path) -> dict[str, Any]:
    """What the run came to, without the note that judge.jsonl was edited."""
    lines = {name: data for name, data in files(folder).items() if name.endswith(".jsonl")}
    return {**lines, "results.json": {**results(folder), "changes": []}}


def test_a_lost_reply_is_asked_for_again(bench: Bench, tmp_path: Path, steelyard: Commands) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 0
    before, asked = unnoted(folder), bench.server.calls
    kept = folder / "judge.jsonl"
    for left in (
        kept.read_bytes()[:-25],
        b"".join(kept.read_bytes().splitlines(keepends=True)[:-2]),
        b"",
    ):
        lost = JUDGE_CALLS - left.count(b"\n")
        kept.write_bytes(left)
        assert steelyard(*bench.args(folder, "--resume")).code == 0
        assert bench.server.calls == (asked := asked + lost)
        assert unnoted(folder) == before
    kept.unlink()
    assert steelyard(*bench.args(folder, "--resume")).code == 0
    assert (bench.server.calls, unnoted(folder)) == (asked + JUDGE_CALLS, before)
    assert steelyard(*bench.args(folder, "--resume")).code == 0
    assert bench.server.calls == asked + JUDGE_CALLS


def test_a_verdict_is_kept_only_after_its_reply_is_on_the_disk(
    bench: Bench, tmp_path: Path, steelyard: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    from steelyard.judge.store import JudgeStore
    from steelyard.runs.loop import Record

    happened: list[tuple[str, int]] = []
    sync, keep = JudgeStore.sync, Record.keep_scores

    def synced(store: JudgeStore) -> None:
        happened.append(("synced", len(store)))
        sync(store)

    def kept(record: Record, scores: Any, *, judged: bool = False) -> None:
        held = list(scores)
        if judged:
            happened.append(("kept", len(held)))
        keep(record, held, judged=judged)

    monkeypatch.setattr(JudgeStore, "sync", synced)
    monkeypatch.setattr(Record, "keep_scores", kept)
    assert steelyard(*bench.args(tmp_path / "out")).code == 0
    on_disk = done = 0
    for what, count in happened:
        on_disk, done = (count, done) if what == "synced" else (on_disk, done + count)
        assert done <= on_disk
    assert done == OPEN


PRICES = ("--price-in", 2, "--price-out", 6)


def cost(tokens: dict[str, int]) -> float:
    return (2 * tokens["input"] + 6 * tokens["output"]) / 1e6


def test_the_cost_is_that_of_both_with_its_parts_named(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder, *PRICES)).code == 0
    told = results(folder)
    parts = {"model": cost(told["tokens"]), "judge": cost(told["judge_tokens"])}
    assert told["cost_parts"] == pytest.approx(parts)
    assert told["cost"] == pytest.approx(sum(parts.values()))
    assert (told["cost_at_least"], told["judge_tokens"]["untold"]) == (False, 0)
    assert "judge 0.0" in (folder / "report.md").read_text(encoding="utf-8")
    bench.plan(usage=False)
    assert steelyard(*bench.args(tmp_path / "silent", *PRICES)).code == 0
    silent = results(tmp_path / "silent")
    assert (silent["cost_at_least"], silent["judge_tokens"]) == (
        True,
        {"input": 0, "output": 0, "untold": JUDGE_CALLS},
    )
    assert "at least 0.0" in (tmp_path / "silent" / "report.md").read_text(encoding="utf-8")


def test_a_run_that_was_judged_again_has_its_own_judge_and_its_own_tokens(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    assert steelyard(*bench.args(tmp_path / "a")).code == 0
    bench.server.script.plan = Plan(texts=(verdict(1, "no", ""),))
    ran = steelyard(
        "eval",
        "rejudge",
        tmp_path / "a",
        "--judge-id",
        "stricter",
        "--output",
        tmp_path / "b",
        "-q",
    )
    assert ran.code == 0, ran.err
    first, second = about(tmp_path / "a"), about(tmp_path / "b")
    assert (first["options"]["judge_id"], second["options"]["judge_id"], second["judge"]) == (
        "j",
        "stricter",
        "stricter",
    )
    tokens = {name: results(tmp_path / name)["judge_tokens"] for name in "ab"}
    own = [
        row["reply"]
        for row in rows(tmp_path / "b" / "judge.jsonl")
        if row["judge"]["name"] == "stricter"
    ]
    assert len(own) == JUDGE_CALLS
    assert tokens["b"]["input"] == sum(reply["input_tokens"] for reply in own)
    assert tokens["b"]["output"] == sum(reply["output_tokens"] for reply in own)
    asked = bench.server.calls
    again = steelyard("eval", "rejudge", tmp_path / "b", "--output", tmp_path / "c", "--json")
    assert again.code == 0, again.err
    assert (json.loads(again.out)["flips"], bench.server.calls) == ([], asked)
    assert about(tmp_path / "c")["judge"] == "stricter"
    back = steelyard(
        "eval", "rejudge", tmp_path / "b", "--judge-id", "j", "--output", tmp_path / "d", "--json"
    )
    assert len(json.loads(back.out)["flips"]) == OPEN
    assert bench.server.calls == asked  # what the first judge said is still there
    assert results(tmp_path / "d")["judge_tokens"] == tokens["a"]


def test_judging_again_says_why_it_stopped(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    assert steelyard(*bench.args(tmp_path / "a")).code == 0
    bench.plan(Rule(contains=SHOWN, do="status", status=401))
    ran = steelyard(
        "eval", "rejudge", tmp_path / "a", "--judge-id", "other", "--output", tmp_path / "b", "-q"
    )
    assert ran.code == 3
    assert "error: the run stopped: the judge could not be asked" in ran.err
    assert about(tmp_path / "b")["status"] == "stopped"
    assert results(tmp_path / "b")["headline"]["pending"] == OPEN


BUDGETS = {
    ("--max-tokens", 1): "the budget of 1 tokens is used up",
    ("--max-cost", 0.00001, "--price-in", 1, "--price-out", 1): "the budget of 1e-05 is used up",
    ("--max-time", 0): "the time of 0 seconds is over",
}


@pytest.mark.parametrize("options", BUDGETS)
def test_judging_again_keeps_to_a_budget(
    bench: Bench, tmp_path: Path, steelyard: Commands, options: tuple[object, ...]
) -> None:
    assert steelyard(*bench.args(tmp_path / "a")).code == 0
    asked = bench.server.calls
    ran = steelyard(
        "eval",
        "rejudge",
        tmp_path / "a",
        "--judge-id",
        "other",
        "--concurrency",
        1,
        *options,
        "--output",
        tmp_path / "b",
        "-q",
    )
    assert (ran.code, BUDGETS[options] in ran.err) == (3, True), ran.err
    assert bench.server.calls - asked <= 1
    assert results(tmp_path / "b")["headline"]["pending"] >= OPEN - 1


@pytest.mark.parametrize(
    ("score", "canary"),
    [
        (1, {"value": 0.2, "obeyed": False, "reason": "the judge gives 1 of 5: it answers"}),
        (5, {"value": 1.0, "obeyed": True, "reason": "the judge gives 5 of 5: it answers"}),
    ],
)
def test_the_judge_card_shows_whether_the_judge_does_what_an_answer_asks_for(
    score: int, canary: dict[str, Any], bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(Rule(contains="full marks", text=verdict(score, "it answers", "")))
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 0
    assert results(folder)["judge_card"] == {"canary": canary}
    shown = "FAILED" if canary["obeyed"] else "passed"
    assert f"canary of the judge | {shown}" in (folder / "report.md").read_text(encoding="utf-8")
    assert "canary of the judge" in (folder / "report.html").read_text(encoding="utf-8").lower()
    again = tmp_path / "again"
    ran = steelyard("eval", "rejudge", folder, "--offline", "--output", again)
    assert ran.code == 0, ran.err
    assert results(again)["judge_card"] == {"canary": canary}


def test_a_judge_that_repeats_the_form_scores_nothing(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(Rule(contains=SHOWN, text='VERDICT {"score": 5}\n{tag} {"score": <a number>}'))
    assert steelyard(*bench.args(tmp_path / "out")).code == 3
    closed_denominator(tmp_path / "out", scored=CLOSED, unscored=OPEN, pending=0)
    card = results(tmp_path / "out")["judge_card"]["canary"]
    assert (card["value"], card["obeyed"]) == (None, None)
