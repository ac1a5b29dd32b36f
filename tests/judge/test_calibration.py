"""A judge held against labels: the numbers, and the command that prints them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Commands
from judge.scripted import Scripted, asker, run, says, verdict
from steelyard.judge.calibration import Label, calibrate
from steelyard.judge.config import JudgeScoringConfig
from steelyard.metrics.agreement import confusion, consistency, kappa
from steelyard.models.mock import serving
from steelyard.models.mock_plan import Plan, Rule
from steelyard.models.types import Request

YES, NO = True, False


@pytest.mark.parametrize(
    ("table", "value"),
    [
        # Worked by hand: agreement (a+d)/n against chance from the margins.
        ((20, 5, 10, 15), 0.4),
        ((45, 15, 25, 15), 0.1304347826),
        ((10, 0, 0, 10), 1.0),
        ((0, 10, 10, 0), -1.0),
        ((5, 5, 5, 5), 0.0),
    ],
)
def test_kappa(table: tuple[int, int, int, int], value: float) -> None:
    a, b, c, d = table
    pairs = [(YES, YES)] * a + [(YES, NO)] * b + [(NO, YES)] * c + [(NO, NO)] * d
    found = kappa(pairs)
    assert found is not None
    assert found.value == pytest.approx(value)
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= found.value <= found.upper
    assert kappa(pairs) == found


def test_kappa_is_not_defined_where_chance_is_certain() -> None:
    assert kappa([]) is None
    assert kappa([(YES, YES)] * 9) is None
    one = kappa([(YES, NO)])
    assert one is not None
    assert (one.value, one.lower) == (0.0, None)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40))
def test_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[str, str]]) -> None:
    found, turned = kappa(pairs), kappa([(b, a) for a, b in pairs])
    assert (found is None) == (turned is None)
    if found is not None and turned is not None:
        assert found.value == pytest.approx(turned.value)
        assert -1 <= found.value <= 1
        assert (found.value == 1) == all(a == b for a, b in pairs)


def test_consistency_of_nothing() -> None:
    assert consistency([["a"], []]) == (None, None)
    assert confusion([])["true_positive"] == 0


def label(n: int, right: bool) -> Label:
    return Label(
        id=str(n),
        instruction="Capital of France?",
        response=f"Answer {n}",
        expected="Paris",
        label=right,
    )


def test_rates_come_from_the_first_asking() -> None:
    said = {0: 5, 1: 5, 2: 1, 3: 1, 4: 5, 5: 9}
    labels = [label(0, YES), label(1, YES), label(2, YES), label(3, NO), label(4, NO), label(5, NO)]

    def say(request: Request) -> str:
        number = int(request.messages[1].content.split("Answer ")[1].split("\n")[0])
        return verdict(said[number], evidence="")

    found = run(calibrate(labels, asker(Scripted(say=say)), JudgeScoringConfig(tries=1)))
    answers = found.answers
    assert answers is not None
    assert answers.confusion == {
        "true_positive": 2,
        "false_positive": 1,
        "false_negative": 1,
        "true_negative": 1,
    }
    assert (answers.labels, answers.judged) == (6, 5)
    assert answers.tpr is not None
    assert answers.tnr is not None
    assert (answers.tpr.value, answers.tnr.value) == (pytest.approx(2 / 3), 0.5)
    assert "above 5" in found.problems["5"]
    assert (found.exit_code, found.comparisons, found.consistency) == (1, None, None)


def test_labels_may_be_scores() -> None:
    labels = [
        Label(id="1", instruction="?", response="x", score=5),
        Label(id="2", instruction="?", response="y", score=2),
    ]
    found = run(calibrate(labels, asker(Scripted(verdict(4, evidence=""))), JudgeScoringConfig()))
    assert found.answers is not None
    assert found.answers.confusion["false_positive"] == 1
    assert found.answers.score_difference == 1.5


def pair(n: int, winner: Any) -> Label:
    return Label(id=f"p{n}", instruction="?", first=f"good {n}", second=f"bad {n}", winner=winner)


def test_a_judge_that_likes_what_comes_first_is_found_out() -> None:
    labels = [pair(n, "first") for n in range(10)]
    biased = run(calibrate(labels, asker(Scripted(says("A"))), JudgeScoringConfig())).comparisons
    assert biased is not None
    assert biased.flipped is not None
    assert biased.first_shown is not None
    assert biased.agreement is not None
    assert (biased.flipped.value, biased.first_shown.value, biased.agreement.value) == (
        1.0,
        1.0,
        0.0,
    )

    def fair(request: Request) -> str:
        shown = request.messages[1].content
        return says("A" if shown.index("good") < shown.index("bad") else "B")

    found = run(calibrate(labels, asker(Scripted(say=fair)), JudgeScoringConfig())).comparisons
    assert found is not None
    assert found.flipped is not None
    assert found.first_shown is not None
    assert found.agreement is not None
    assert (found.flipped.value, found.first_shown.value, found.agreement.value) == (0.0, 0.5, 1.0)


def test_a_judge_that_cannot_make_up_its_mind_is_found_out() -> None:
    replies = [verdict(5, evidence=""), verdict(1, evidence="")] * 10
    found = run(
        calibrate([label(0, YES)], asker(Scripted(*replies)), JudgeScoringConfig(), repeats=4)
    ).consistency
    assert found is not None
    assert found.same is not None
    assert (found.repeats, found.same.value) == (4, 0.0)
    assert found.agreement == pytest.approx(1 / 3)
    steady = run(
        calibrate([label(0, YES)], asker(Scripted(verdict(5))), JudgeScoringConfig(), repeats=3)
    ).consistency
    assert steady is not None
    assert steady.agreement == 1.0


ROWS: list[dict[str, Any]] = [
    {
        "id": "1",
        "question": "Capital of France?",
        "answer": "Paris",
        "target": "Paris",
        "label": True,
    },
    {
        "id": "2",
        "question": "Capital of France?",
        "answer": "Lyon",
        "target": "Paris",
        "label": False,
    },
    {"id": "3", "question": "Which?", "first": "good", "second": "bad", "winner": "first"},
]


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_command_asks_stores_and_reads_again(steelyard: Commands, tmp_path: Path) -> None:
    labels = write(tmp_path / "labels.jsonl", ROWS)
    store = tmp_path / "judge.jsonl"
    rules = (
        Rule(contains="Lyon", text=verdict(1, evidence="Lyon")),
        Rule(contains="Paris", text=verdict(5)),
    )
    with serving(Plan(rules=rules, texts=(says("tie"),))) as server:
        asked = steelyard(
            "judge",
            "calibrate",
            "--labels",
            labels,
            "--judge-url",
            server.url,
            "--judge-id",
            "mock",
            "--store",
            store,
            "--repeats",
            2,
            "--json",
        )
    assert asked.code == 0, asked.err
    found = json.loads(asked.out)
    assert found["answers"]["confusion"] == {
        "true_positive": 1,
        "false_positive": 0,
        "false_negative": 0,
        "true_negative": 1,
    }
    assert found["comparisons"]["agreement"]["value"] == 0.0
    assert found["consistency"]["same"]["value"] == 1.0
    again = steelyard(
        "judge", "calibrate", "--labels", labels, "--recorded", store, "--repeats", 2, "--json"
    )
    assert (again.code, again.out) == (0, asked.out)
    shown = steelyard("judge", "calibrate", "--labels", labels, "--recorded", store)
    for told in ("judge: mock", "label: right", "TPR", "Cohen's kappa", "flipped with the order"):
        assert told in shown.out
    other = steelyard(
        "judge", "calibrate", "--labels", labels, "--recorded", store, "--judge-id", "other"
    )
    assert (other.code, "of 'mock'" in other.err) == (2, True)


def test_a_judge_that_refuses_is_told(steelyard: Commands, tmp_path: Path) -> None:
    labels = write(tmp_path / "labels.jsonl", ROWS)
    with serving(Plan(rules=(Rule(do="status", status=401),))) as server:
        ran = steelyard(
            "judge",
            "calibrate",
            "--labels",
            labels,
            "--judge-url",
            server.url,
            "--judge-id",
            "mock",
            "--json",
        )
    assert (ran.code, "error: the judge could not be asked" in ran.err) == (3, True)
    found = json.loads(ran.out)
    assert (found["answers"]["judged"], found["answers"]["tpr"], len(found["problems"])) == (
        0,
        None,
        3,
    )


def test_recorded_replies_by_id(steelyard: Commands, tmp_path: Path) -> None:
    replies = [
        {"id": "1", "text": verdict(5)},
        {"id": "2", "text": "no idea"},
        {"id": "2", "text": verdict(2, evidence="")},
        {"id": "3", "text": says("A")},
        {"id": "3", "text": says("A")},
    ]
    labels, recorded = write(tmp_path / "l", ROWS), write(tmp_path / "r", replies)
    ran = steelyard("judge", "calibrate", "--labels", labels, "--recorded", recorded, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["answers"]["agreement"]["value"] == 1.0
    assert found["comparisons"]["flipped"]["value"] == 1.0
    lacking = steelyard(
        "judge", "calibrate", "--labels", labels, "--recorded", write(tmp_path / "s", replies[:1])
    )
    assert lacking.code == 1
    assert "without a verdict: 2" in lacking.out


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("x", "Expected `object`"),
        ({"response": "x"}, "one of label"),
        ({"response": "x", "label": "yes"}, "`$.label`"),
        ({"response": "x", "label": True, "score": 3}, "one of label"),
        ({"response": "x", "score": 9}, "from 1 to 5"),
        ({"winner": "first"}, "first and second"),
        ({"label": True}, "no response"),
        ({"response": 3, "label": True}, "`$.response`"),
    ],
)
def test_labels_that_cannot_be_used_are_told_with_their_line(
    row: Any, told: str, steelyard: Commands, tmp_path: Path
) -> None:
    labels = write(tmp_path / "l", [ROWS[0], row])
    ran = steelyard(
        "judge", "calibrate", "--labels", labels, "--recorded", write(tmp_path / "r", [])
    )
    assert ran.code == 2
    assert "l:2: not a label" in ran.err
    assert told in ran.err


def test_settings_come_from_a_file(steelyard: Commands, tmp_path: Path) -> None:
    labels, replies = (
        write(tmp_path / "l", ROWS[:1]),
        write(tmp_path / "r", [{"id": "1", "text": verdict(5)}]),
    )
    base = ["judge", "calibrate", "--labels", labels, "--recorded", replies, "--json", "--config"]
    (tmp_path / "ten.toml").write_text("max_score = 10\nthreshold = 0.6\n")
    ran = steelyard(*base, tmp_path / "ten.toml")
    assert json.loads(ran.out)["answers"]["confusion"]["false_negative"] == 1
    (tmp_path / "bad.json").write_text('{"max_score": 1}')
    bad = steelyard(*base, tmp_path / "bad.json")
    assert (bad.code, "max_score" in bad.err) == (2, True)
    (tmp_path / "typo.json").write_text('{"treshold": 1}')
    assert "treshold" in steelyard(*base, tmp_path / "typo.json").err
    assert steelyard(*base, tmp_path / "nowhere.json").code == 2
    (tmp_path / "broken.json").write_text("{")
    assert steelyard(*base, tmp_path / "broken.json").code == 2
    assert "either" in steelyard("judge", "calibrate", "--labels", labels).err


@pytest.mark.parametrize(
    "options",
    [
        ("--max-tokens", 1),
        ("--max-cost", 1e-9, "--price-in", 1, "--price-out", 1),
        ("--max-time", 0),
    ],
)
def test_calibrating_keeps_to_a_budget(
    tmp_path: Path, steelyard: Commands, options: tuple[object, ...]
) -> None:
    rows = [
        {"id": f"r{n}", "question": "?", "answer": f"answer {n}", "target": "?", "label": True}
        for n in range(5)
    ]
    labels = write(tmp_path / "labels.jsonl", rows)
    with serving(Plan(texts=(verdict(5, evidence=""),))) as server:
        ran = steelyard(
            "judge",
            "calibrate",
            "--labels",
            labels,
            "--judge-url",
            server.url,
            "--judge-id",
            "mock",
            "--concurrency",
            1,
            *options,
            "--json",
        )
        assert server.calls <= 1
    assert (ran.code, "used up" in ran.err or "is over" in ran.err) == (3, True), ran.err
    assert len(json.loads(ran.out)["problems"]) >= 4
