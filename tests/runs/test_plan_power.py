"""How many problems it takes, from assumptions and from runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from runs.made_runs import Value, column, write_run
from steelyard.errors import DataError
from steelyard.runs.gate import Verdict, gate
from steelyard.runs.policy import Policy, Rule
from steelyard.runs.power import Known, measured, plan

DICE = np.random.default_rng(8)


def answers(chances: np.ndarray, repeats: int) -> list[list[Value]]:  # type: ignore[type-arg]
    return [
        [float(value) for value in row]
        for row in DICE.random((len(chances), repeats)) < chances[:, None]
    ]


def test_one_run_gives_its_rate_and_how_consistent_it_is(tmp_path: Path) -> None:
    chances = DICE.beta(0.7, 0.3, 800)
    known = measured([write_run(tmp_path / "a", answers(chances, 4))], Known())
    assert known.base_rate == pytest.approx(0.7, abs=0.04)
    assert known.consistency == pytest.approx(0.5, abs=0.06)
    assert "measured" in known.told["consistency"]
    assert "correlation" not in known.told


def test_one_attempt_tells_nothing_about_repeats(tmp_path: Path) -> None:
    known = measured([write_run(tmp_path / "a", column([1.0] * 50))], Known())
    assert known.consistency is None
    assert known.base_rate == pytest.approx(51 / 52)
    assert plan(0.1, known, repeats=[1]).rows[0].gate is not None


def test_clusters_are_measured(tmp_path: Path) -> None:
    same = np.repeat(DICE.random(100) < 0.6, 5).astype(float)
    names = [f"c{place // 5}" for place in range(500)]
    known = measured([write_run(tmp_path / "a", column(same.tolist()), clusters=names)], Known())
    assert (known.cluster_size, known.cluster_icc) == pytest.approx((5, 1))
    alone = plan(0.05, Known(base_rate=0.6), repeats=[1]).rows[0]
    grouped = plan(0.05, Known(base_rate=0.6, cluster_size=5, cluster_icc=1.0), repeats=[1]).rows[0]
    assert grouped.gate is not None
    assert alone.gate is not None
    assert grouped.gate == pytest.approx(5 * alone.gate, rel=0.12)


def test_what_clusters_cannot_tell_is_said(tmp_path: Path) -> None:
    one = measured(
        [write_run(tmp_path / "one", column([1.0, 0.0, 1.0, 1.0]), clusters=["a"] * 4)], Known()
    )
    assert (one.cluster_size, one.cluster_icc) == (4, 1)
    assert "assumed" in one.told["cluster_icc"]
    names = ["large"] * 9 + [f"small {place}" for place in range(6)]
    uneven = measured(
        [write_run(tmp_path / "uneven", column([1.0, 0.0, 1.0] * 5), clusters=names)], Known()
    )
    assert uneven.cluster_size == pytest.approx((81 + 6) / 15)
    assert "1 to 9 problems; taken as equally large" in uneven.told["cluster_size"]
    assert uneven.told["cluster_icc"] == f"measured in {tmp_path / 'uneven'}"


def test_two_runs_give_the_variance_of_their_difference(tmp_path: Path) -> None:
    base = (DICE.random(2000) < 0.8).astype(float)
    other = np.where(DICE.random(2000) < 0.1, 1 - base, base)
    runs = [
        write_run(tmp_path / "a", column(base.tolist())),
        write_run(tmp_path / "b", column(other.tolist())),
    ]
    known = measured(runs, Known())
    assert known.pair_binary
    assert known.pair_variance == pytest.approx(0.1, abs=0.02)
    row = plan(0.05, known, repeats=[1]).rows[0]
    assert row.gate == pytest.approx(
        (1.645 + 0.8416) ** 2 * (known.pair_variance or 0) / 0.05**2, rel=0.15
    )


@pytest.mark.slow
def test_a_planned_gate_goes_as_often_as_it_was_planned(tmp_path: Path) -> None:
    """The whole way: plan, run, gate. The rates at large are held by the simulations of the metrics."""
    needed = plan(0.2, Known(base_rate=0.7, correlation=0.6), power=0.8, repeats=[1]).rows[0].gate
    assert needed is not None
    went = 0
    for trial in range(40):
        both = DICE.random(needed)
        sides = [
            (np.where(DICE.random(needed) < np.sqrt(0.6), both, DICE.random(needed)) < 0.7).astype(
                float
            )
            for _ in "ab"
        ]
        runs = [
            write_run(tmp_path / f"{trial}{name}", column(side.tolist()))
            for name, side in zip("ab", sides, strict=True)
        ]
        went += gate(*runs, Policy(rule=Rule(margin=0.2))).verdict is Verdict.GO
    assert 24 <= went <= 40


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"effect": 0}, "effect is 0"),
        ({"power": 1.0}, "power is 1"),
        ({"alpha": -1}, "alpha"),
        ({"repeats": [0]}, "repeats"),
    ],
)
def test_what_cannot_be_planned_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=said):
        plan(**{"effect": 0.1, "known": Known(), "repeats": [1]} | wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("effect", "known", "said"),
    [
        (0.05, Known(correlation=0.9, consistency=0.2), "at least the correlation"),
        (0.99, Known(), "no candidate"),
        (0.31, Known(base_rate=0.7, consistency=0.6), None),
    ],
)
def test_what_no_two_models_can_have_is_refused(
    effect: float, known: Known, said: str | None
) -> None:
    if said is None:
        assert plan(effect, known, repeats=[1]).rows
        return
    with pytest.raises(DataError, match=said):
        plan(effect, known, repeats=[1])


def test_two_runs_that_compare_would_refuse_make_no_plan(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", column([1.0, 0.0] * 20))
    b = write_run(tmp_path / "b", column([1.0, 1.0] * 20), benchmark="other")
    with pytest.raises(DataError, match=r"benchmark\.name") as refused:
        measured([a, b], Known())
    assert "--allow" not in str(refused.value)
    told = measured([a], Known()).told["base_rate"]
    assert "a mean of 0.5 in 40 samples" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--clusters", "nan,0.1"], "SIZE,ICC"),
        (["--clusters", "inf,0.1"], "SIZE,ICC"),
        (["--clusters", "5,nan"], "SIZE,ICC"),
        (
            ["--from", "A", "--from", "B", "--correlation", "0.9", "--base-rate", "0.1"],
            "--base-rate and --correlation",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused(arguments: list[str], said: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "steelyard", "plan", "--effect", "0.05", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert said in ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["1e-6", "--repeats", "1"], "more than 10,000,000 problems"),
        (["0.05", "--correlation", "1"], "counted exactly"),
    ],
)
def test_a_table_that_looks_odd_says_why(arguments: list[str], said: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "steelyard", "plan", "--effect", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said in ended.stdout


def test_runs_that_tell_nothing_are_refused(tmp_path: Path) -> None:
    a, b = (
        write_run(tmp_path / "a", column([None, 1.0])),
        write_run(tmp_path / "b", column([1.0, None])),
    )
    with pytest.raises(DataError, match="fewer than two samples"):
        measured([a], Known())
    with pytest.raises(DataError, match="fewer than two problems"):
        measured([a, b], Known())
    with pytest.raises(DataError, match="not from 3"):
        measured([a, b, a], Known())
