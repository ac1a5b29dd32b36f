"""Stored attempts scored and judged again: no call of the model, and every flip told with its stage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Commands
from judge.scripted import verdict
from runs.support import BENCH, JUDGE_CALLS, OPEN, TOTAL, Bench, files, results, rows
from steelyard.models.mock_plan import Plan
from steelyard.runs.flips import Scored, counted, direction, flip
from steelyard.score import Score, full, graded, pending, unscored, zero

NO = ("0.0", "first")


@pytest.mark.parametrize(
    ("before", "after", "target", "stage", "way"),
    [
        (zero("no", extracted="C"), full(extracted="B"), "B", "extraction", "became right"),
        (zero("no", extracted=None), full(extracted="B"), "B", "extraction", "became right"),
        (
            zero("no", extracted="the paris."),
            full(extracted="the paris."),
            "Paris",
            "normalisation",
            "became right",
        ),
        (
            full(extracted="PARIS"),
            zero("no", extracted="PARIS"),
            "Paris",
            "normalisation",
            "became wrong",
        ),
        (zero("no"), full(), "the reply", "normalisation", "became right"),
        (zero("no", extracted="3.0"), full(extracted="3.0"), "4", "comparison", "became right"),
        (graded(0.2), graded(0.7), "x", "comparison", "up"),
        (graded(0.7), graded(0.2), "x", "comparison", "down"),
        (unscored("bug"), zero("no"), "x", "comparison", "got a score"),
        (full(), unscored("bug"), "x", "comparison", "lost its score"),
        (pending(), full(), "x", "judge", "got a score"),
    ],
)
def test_stages(before: Score, after: Score, target: str, stage: str, way: str) -> None:
    found = flip(NO, (target, "The reply."), Scored(before, False), Scored(after, False))
    assert found is not None
    assert (found.stage, direction(found)) == (stage, way)
    assert counted([found, found]) == {stage: {way: 2}}


def test_where_a_judge_spoke_the_stage_is_the_judge() -> None:
    found = flip(
        NO, ("x", ""), Scored(full(extracted="a"), True), Scored(zero("no", extracted="b"), True)
    )
    assert found is not None
    assert found.stage == "judge"


@given(
    st.sampled_from([full(), zero("no"), graded(0.5), unscored("bug"), pending()]), st.booleans()
)
def test_the_same_score_is_no_flip(score: Score, judged: bool) -> None:
    assert flip(NO, ("x", "y"), Scored(score, judged), Scored(score, judged)) is None


def again(steelyard: Commands, *args: object) -> dict[str, Any]:
    done = steelyard("eval", *args, "--json")
    assert done.code in {0, 3}, done.err
    told: dict[str, Any] = json.loads(done.out)
    return told


FLIPPING = """
from steelyard import exact_match, full, scorer, zero
from steelyard.bench import benchmark


@benchmark(name="odd", dataset="odd.jsonl", prompt="{{question}}", target_field="target")
@scorer
def odd(sample):
    return {score}
"""


def test_ids_that_hold_ends_of_lines_are_told_as_they_are(
    tmp_path: Path, steelyard: Commands
) -> None:
    ids = ["plain", "é\u2028x", "a\u2029b", "c\u0085d", "e\r\nf"]
    for name, score in (
        ("bench.py", "exact_match(sample)"),
        ("flipped.py", "zero('before it was right')"),
    ):
        (tmp_path / name).write_text(FLIPPING.format(score=score), encoding="utf-8")
    problems = [{"id": one, "question": one, "target": "4"} for one in ids]
    replies = [{"id": one, "text": "4"} for one in ids]
    for name, told in (("odd.jsonl", problems), ("replies.jsonl", replies)):
        (tmp_path / name).write_text(
            "".join(json.dumps(row) + "\n" for row in told), encoding="utf-8"
        )
    recorded = ("--recorded", tmp_path / "replies.jsonl", "--output", tmp_path / "out", "-q")
    assert steelyard("eval", "run", "--bench", tmp_path / "bench.py", *recorded).code == 0
    told = again(steelyard, "rescore", tmp_path / "out", "--bench", tmp_path / "flipped.py")
    assert [one["id"] for one in told["flips"]] == ids


def test_rescoring_asks_nobody_and_changes_nothing(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 0
    before, asked = {path.name: path.read_bytes() for path in folder.iterdir()}, bench.server.calls
    told = again(steelyard, "rescore", folder)
    assert (told["flips"], told["before"]["value"]) == ([], told["after"]["value"])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert bench.server.calls == asked
    again(steelyard, "rescore", folder, "--output", tmp_path / "new")
    kept = (
        "attempts.jsonl",
        "scores.jsonl",
        "judge.jsonl",
        "results.json",
        "failure_analysis.json",
        "report.md",
    )
    assert {name: files(tmp_path / "new")[name] for name in kept} == {
        name: files(folder)[name] for name in kept
    }


def test_an_edited_scorer_flips_what_it_should(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 0
    bench.file.write_text(BENCH.replace("numeric_match", "exact_match"), encoding="utf-8")
    told = again(steelyard, "rescore", folder, "--output", tmp_path / "new")
    right = [
        row["key"]
        for row in rows(folder / "scores.jsonl")
        if row["correct"] and not row.get("judged")
    ]
    assert [one["key"] for one in told["flips"]] == right
    assert told["stages"] == {"extraction": {"became wrong": len(right)}}
    assert results(tmp_path / "new")["headline"]["correct"] == OPEN
    shown = steelyard("eval", "rescore", folder)
    assert "became wrong" in shown.out


def test_a_spec_can_score_again(bench: Bench, tmp_path: Path, steelyard: Commands) -> None:
    spec, fields = tmp_path / "spec.json", {"field": "sum", "ground_truth_field": "sum"}
    dimension = {"name": "sum", "weight": 1, "primitive": "exact_match", **fields}
    spec.write_text(
        json.dumps({"type": "deterministic", "profile": "free", "dimensions": [dimension]}),
        encoding="utf-8",
    )
    bench.server.script.plan = Plan(texts=('{"sum": 4}',))
    rows_with_truth = BENCH.replace(
        '"open" if n % 5 == 0 else "closed"', '"closed", "truth": {"sum": 2 * n}'
    )
    bench.file.write_text(rows_with_truth, encoding="utf-8")
    assert steelyard(*bench.args(tmp_path / "out")).code == 0
    told = again(steelyard, "rescore", tmp_path / "out", "--spec", spec)
    assert (told["after"]["correct"], told["after"]["scored"]) == (1, TOTAL)


def test_a_run_of_other_problems_is_refused(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    assert steelyard(*bench.args(tmp_path / "out")).code == 0
    bench.file.write_text(BENCH.replace('{"q":', '{"id": f"p{n}", "q":'), encoding="utf-8")
    refused = steelyard("eval", "rescore", tmp_path / "out")
    assert refused.code == 2
    assert "sample 0.0 answers the problem '0', and the benchmark has 'p0' there" in refused.err


def test_stored_replies_are_read_again_offline(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 0
    asked = bench.server.calls
    assert again(steelyard, "rejudge", folder, "--offline")["flips"] == []
    for limit in ("--max-cost", "--max-tokens", "--max-time"):
        refused = steelyard("eval", "rejudge", folder, "--offline", limit, 1)
        assert (refused.code, limit in refused.err) == (2, True)
    kept = rows(folder / "judge.jsonl")
    kept[3]["reply"]["text"] = kept[3]["reply"]["text"].replace('"score": 5', '"score": 1')
    (folder / "judge.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8"
    )
    told = again(steelyard, "rejudge", folder, "--offline")
    assert [(one["key"], one["stage"], one["after"]) for one in told["flips"]] == [
        ("10.0", "judge", 0.2)
    ]
    (folder / "judge.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in kept[2:]), encoding="utf-8"
    )
    told = again(steelyard, "rejudge", folder, "--offline")
    assert (told["after"]["pending"], told["after"]["scored"]) == (1, TOTAL - 1)
    assert bench.server.calls == asked


def test_another_judge_is_asked_and_is_never_given_the_first_ones_replies(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    folder = tmp_path / "out"
    assert steelyard(*bench.args(folder)).code == 0
    asked = bench.server.calls
    bench.server.script.plan = Plan(texts=(verdict(1, "no", ""),))
    told = again(
        steelyard, "rejudge", folder, "--judge-id", "stricter", "--output", tmp_path / "new"
    )
    assert bench.server.calls == asked + JUDGE_CALLS
    assert len(told["flips"]) == OPEN
    assert {row["judge"]["name"] for row in rows(tmp_path / "new" / "judge.jsonl")} == {
        "j",
        "stricter",
    }
    assert (
        json.loads((tmp_path / "new" / "run.json").read_text(encoding="utf-8"))["derived_from"][
            "by"
        ]
        == "rejudge"
    )
