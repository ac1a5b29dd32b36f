"""Rows that share an id are one problem: the interval knows it, whatever they are and however they are divided."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Commands
from steelyard.batch import problems
from steelyard.batch.problems import Problems, attempts_of
from steelyard.batch.tally import MOST_GROUPS, OTHERS, Tally
from steelyard.metrics import default_interval
from steelyard.score import Score

Row = tuple[Any, float | None, str]


def gathered(rows: list[Row], cut: int, *, by: bool = False) -> Tally:
    """What the rows come to, in blocks of so many."""
    tally = Tally()
    for start in range(0, len(rows), cut):
        block, part = Tally(), rows[start : start + cut]
        scores = [Score(value=value, correct=value == 1) for _, value, _ in part]
        names = [name for _, _, name in part] if by else None
        block.all.add(scores)
        if names is not None:
            block.add_groups(names, scores)
        block.attempts = attempts_of(
            [SimpleNamespace(id=known_as) for known_as, _, _ in part], scores, names
        )
        tally.merge(block)
    tally.settle()
    return tally


def told(moments: Any) -> tuple[Any, ...] | None:
    found = moments.interval()
    return None if found is None else (found.method, found.value, found.lower, found.upper)


def wanted(rows: list[Row]) -> tuple[Any, ...] | None:
    scored = [(known_as, value) for known_as, value, _ in rows if value is not None]
    if not scored:
        return None
    names = [None if known_as is None else (type(known_as), known_as) for known_as, _ in scored]
    found = default_interval([value for _, value in scored], clusters=names)
    return (
        None
        if found.lower is None or len(scored) < 2
        else (found.method, found.value, found.lower, found.upper)
    )


LONG = ["x" * 70 + one + "b" * 60 + other for one, other in ("ac", "ca")]
IDS = st.sampled_from(["a", "b", "c", "1", 1, 2, 1.5, 0, "", "ü", *LONG, None])
BINARY, GRADED = (
    st.sampled_from([0.0, 1.0, None]),
    st.sampled_from([0.0, 1.0, 0.1, 0.5, 1 / 3, None]),
)


ROWS = st.sampled_from([BINARY, GRADED]).flatmap(
    lambda values: st.lists(st.tuples(IDS, values, st.sampled_from(["g", "h", ""])), max_size=40)
)


@given(ROWS, st.integers(1, 50))
def test_the_interval_is_the_one_by_problem(rows: list[Row], cut: int) -> None:
    tally = gathered(rows, cut, by=True)
    assert told(tally.all) == pytest.approx(wanted(rows))
    for name, moments in tally.groups.items():
        assert told(moments) == pytest.approx(wanted([row for row in rows if row[2] == name])), name
    assert told(gathered(rows[::-1], cut).all) == told(tally.all)
    seen = [
        (type(known_as), known_as)
        for known_as, value, _ in rows
        if value is not None and known_as is not None
    ]
    assert tally.repeated is (len(set(seen)) < len(seen))


PAIRS = [
    (0, ""),
    (1, "1"),
    (0, "0"),
    (-1, "-1"),
    (2**61, 0),
    (2**70, "x"),
    (True, 1),
    (1.5, "1.5"),
    LONG,
]


@pytest.mark.parametrize("ids", PAIRS, ids=str)
def test_ids_that_differ_are_two_problems(ids: tuple[Any, Any]) -> None:
    alone = [
        attempts_of([SimpleNamespace(id=one)], [Score(value=1.0, correct=True)], None).numbers
        for one in ids
    ]
    together = [(one, 1.0, "") for one in ids]
    assert alone[0] != alone[1]
    assert not gathered(together, 1).repeated  # each by the way of its own kind
    assert not gathered(together, 2).repeated
    assert gathered([*together, together[0]], 1).repeated
    assert gathered([*together, together[0]], 3).repeated


def test_all_of_many_are_looked_at_and_none_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in (("_AT_ONCE", 100), ("_PILED", 8), ("_HELD", 50)):
        monkeypatch.setattr(problems, name, small)
    for ids in ([f"q{n}" for n in range(20_000)], list(range(20_000))):
        assert not gathered([(one, 1.0, "") for one in ids], 700).repeated
        again = [(one, float(place % 3 == 0), "") for place, one in enumerate([*ids, ids[7]])]
        tally = gathered(again, 700)
        assert (tally.repeated, tally.all.problems) == (True, 20_000)
        assert told(tally.all) == pytest.approx(wanted(again))
        assert told(gathered(again, 33).all) == told(tally.all)


def test_few_stay_in_memory() -> None:
    gathering = Problems()
    for start in range(0, 100_000, 1000):
        rows = [SimpleNamespace(id=f"q{n}") for n in range(start, start + 1000)]
        gathering.add(attempts_of(rows, [Score(value=1.0, correct=True)] * 1000, None))
    assert sum(map(len, gathering._piles)) <= 64 * 2048
    assert len(gathering._numbers) < 17_000


def test_groups_beyond_the_most_are_one() -> None:
    rows: list[Row] = [
        (n // 2, float(n % 3 == 0), f"g{n // 4}") for n in range(4 * MOST_GROUPS + 400)
    ]
    tally = gathered(rows, 999, by=True)
    others = [row for row in rows if row[2] not in tally.groups]
    assert (tally.groups[OTHERS].problems, tally.groups["g0"].problems) == (200, 2)
    assert told(tally.groups[OTHERS]) == pytest.approx(wanted(others))


def write(path: Path, ids: list[Any]) -> None:
    rows = (
        {"id": known_as, "response": "xy"[n % 2], "target": "x", "topic": "st"[n % 3 == 0]}
        for n, known_as in enumerate(ids)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_the_summary_says_so(steelyard: Commands, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    for ids, method, count in (
        (["a", "a", "b"], "clustered", 2),
        (["a", "b", "c"], "wilson", 3),
        ([None] * 3, "wilson", 3),
        (["a"] * 3, None, 1),
    ):
        write(path, ids)
        ran = steelyard("score", "--scorer", "exact_match", path, "--json")
        found = json.loads(ran.out)
        assert (found["interval"], found["problems"], found["repeated_ids"], ran.err) == (
            method,
            count,
            count < 3,
            "",
        )
        shown = steelyard("score", "--scorer", "exact_match", path).out
        assert ("]  clustered by id: " in shown) is found["repeated_ids"]
    assert "95% interval    [–, –]  clustered by id: 1 problem\n" in shown


def test_identical_attempts_are_worth_one(steelyard: Commands, tmp_path: Path) -> None:
    rows = [
        {"id": f"p{n}", "response": "xy"[n % 2], "target": "x"} for n in range(10) for _ in range(8)
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    found = json.loads(
        steelyard("score", "--scorer", "exact_match", "-", "--json", stdin=lines).out
    )
    alone = default_interval([n % 2 for n in range(10)])
    assert (found["mean"], found["interval"], found["problems"], found["scored"]) == (
        0.5,
        "clustered",
        10,
        80,
    )
    assert (found["ci_lower"], found["ci_upper"]) == pytest.approx((alone.lower, alone.upper))


def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path / "in.jsonl", [f"q{n % 9_000}" if n % 5 else None for n in range(20_000)])
    seen = []
    for workers in ("1", "3"):
        args = [
            sys.executable,
            "-m",
            "steelyard",
            "score",
            "--scorer",
            "exact_match",
            "in.jsonl",
            "--json",
            "--by",
            "topic",
            "--workers",
            workers,
        ]
        found = json.loads(
            subprocess.run(args, cwd=tmp_path, capture_output=True, check=True).stdout
        )
        seen.append(
            {
                name: value
                for name, value in found.items()
                if name not in {"seconds", "rows_per_second"}
            }
        )
    assert seen[0] == seen[1]
    assert seen[0]["interval"] == seen[0]["breakdown"][0]["interval"] == "clustered"
