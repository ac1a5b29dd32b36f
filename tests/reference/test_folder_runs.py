"""Repeated runs: the folders that a pattern names, and the mean and spread over them."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

from commands import Commands
from reference.folders import Folders, solution
from steelyard.batch.reference.run_folders import find_runs
from steelyard.errors import DataError
from steelyard.metrics import wilson_interval
from steelyard.metrics.clusters import default_interval

FLAGS = ["--fuzzy", "exact", "--no-explanations"]
RIGHT = {"a": [4, 3, 2], "b": [1]}


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """Four problems; the runs of setting a get 4, 3 and 2 of them right, the one of b gets 1."""
    made = Folders(tmp_path)
    for n in range(1, 5):
        made.refer(f"2003-{n}", {"1": "ka"})
    for setting, runs in RIGHT.items():
        for run, right in enumerate(runs, 1):
            for n in range(1, 5):
                document = solution(f"2003-{n}", {"1": "ka" if n <= right else "lo"})
                made.put(f"solved/{setting}/run_{run}", f"{n}.json", document)
    return made


def command(folders: Folders, pattern: str, *extra: object) -> list[object]:
    root = folders.root
    return [
        "reference",
        "score",
        "--references",
        root / "references",
        "--runs",
        f"{root}/{pattern}",
        "--output",
        root / "out",
        *FLAGS,
        *extra,
    ]


def test_mean_and_spread_over_runs(folders: Folders, steelyard: Commands) -> None:
    ran = steelyard(*command(folders, "solved/{setting}/run_{n}", "--json"))
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    a, b = found["settings"]
    assert (a["setting"], a["runs"], a["mean"], a["lowest"], a["highest"]) == (
        "a",
        3,
        0.75,
        0.5,
        1.0,
    )
    assert a["spread"] == statistics.stdev([1, 0.75, 0.5]) == 0.25
    assert a["ci_lower"] < 0.75 < a["ci_upper"]
    assert (b["setting"], b["runs"], b["mean"], b["spread"]) == ("b", 1, 0.25, None)
    assert [line["mean"] for line in a["lines"]] == [1.0, 0.75, 0.5]
    assert json.loads((folders.root / "out" / "runs.json").read_bytes()) == found
    assert len(list((folders.root / "out" / "a" / "run_2").glob("*_scores.json"))) == 4


def test_the_interval_over_runs_is_clustered_by_problem(
    folders: Folders, steelyard: Commands
) -> None:
    ran = steelyard(*command(folders, "solved/{setting}/run_{n}", "--json"))
    a, b = json.loads(ran.out)["settings"]
    values = [float(n <= right) for right in RIGHT["a"] for n in range(1, 5)]
    expected = default_interval(values, [1, 2, 3, 4] * 3)
    assert (a["ci_lower"], a["ci_upper"], a["interval"]) == (
        expected.lower,
        expected.upper,
        "clustered",
    )
    alone = wilson_interval(1, 4)
    assert (b["ci_lower"], b["ci_upper"], b["interval"]) == (alone.lower, alone.upper, "wilson")


def test_the_table_of_runs(folders: Folders, steelyard: Commands) -> None:
    ran = steelyard(*command(folders, "solved/{setting}/run_{n}"))
    assert ran.code == 0, ran.err
    lines = [line.split() for line in ran.out.splitlines()]
    assert [
        "a",
        "3",
        "0.7500",
        "0.2500",
        "0.5000",
        "1.0000",
        "0.7500",
        "–",
        "12",
        "/",
        "12",
    ] in lines
    assert ["b", "1", "0.2500", "–", "0.2500", "0.2500", "0.2500", "–", "4", "/", "4"] in lines


def test_scores_are_no_solutions(folders: Folders, steelyard: Commands) -> None:
    steelyard(*command(folders, "solved/{setting}/run_{n}"))
    again = steelyard(
        *command(folders, "out/{setting}/run_{n}", "--output", folders.root / "again")
    )
    assert (again.code, again.out) == (2, "")
    assert "out/a/run_1: holds scores; the folder of the solutions is needed" in again.err


@pytest.mark.parametrize(
    "change", ["reference", "solution", "settings", "score removed", "score cut"]
)
def test_scores_of_runs_are_held_against_what_made_them(
    change: str, folders: Folders, steelyard: Commands
) -> None:
    asked = command(folders, "solved/{setting}/run_{n}", "--json")
    first = json.loads(steelyard(*asked).out)["settings"]
    score = folders.root / "out" / "a" / "run_1" / "2003-4_scores.json"
    before = json.loads(score.read_bytes())
    if change == "reference":
        folders.refer("2003-4", {"1": "lo"})
    elif change == "solution":
        folders.put("solved/a/run_1", "4.json", solution("2003-4", {"1": "lo"}))
    elif change == "settings":
        asked += ["--malformed", "skip"]
    elif change == "score removed":
        score.unlink()
    else:
        score.write_bytes(score.read_bytes()[:-9])
    second = json.loads(steelyard(*asked).out)["settings"]
    means = [line["mean"] for line in second[0]["lines"]]
    wanted = {"reference": [0.75, 1.0, 0.75], "solution": [0.75, 0.75, 0.5]}.get(
        change, [1.0, 0.75, 0.5]
    )
    assert means == wanted
    assert [line["total"] for line in second[0]["lines"]] == [
        line["total"] for line in first[0]["lines"]
    ]
    after = json.loads(score.read_bytes())
    assert (after == before) is change.startswith("score")


def test_a_run_without_all_its_scores_shows_its_bounds(
    folders: Folders, steelyard: Commands
) -> None:
    folders.put("references", "2003-4_reference_solution.json", b"{")
    ran = steelyard(*command(folders, "solved/a/run_{n}"))
    assert ran.code == 2
    assert (
        "run 2: 3 of 4 problems have a score; over all of them the mean could be from 0.7500 to 1.0000"
        in ran.out
    )


@pytest.mark.parametrize("place", ["taken", "taken/below"])
def test_an_output_below_a_file(place: str, folders: Folders, steelyard: Commands) -> None:
    folders.put("", "taken", b"")
    ran = steelyard(*command(folders, "solved/{setting}/run_{n}", "--output", folders.root / place))
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be written to" in ran.err


def test_runs_without_settings(folders: Folders, steelyard: Commands) -> None:
    found = json.loads(steelyard(*command(folders, "solved/a/run_{n}", "--json")).out)
    assert [(s["setting"], s["runs"], s["mean"]) for s in found["settings"]] == [("", 3, 0.75)]


def test_run_numbers_are_numbers(tmp_path: Path) -> None:
    for name in ("run_10", "run_2", "run_x", "run_", "other"):
        (tmp_path / "s" / name).mkdir(parents=True)
    (tmp_path / "s" / "run_3").write_text("a file is no run")
    assert [run.n for run in find_runs(f"{tmp_path}/{{setting}}/run_{{n}}")] == ["2", "10"]
    (tmp_path / "s" / "run_02").mkdir()
    with pytest.raises(DataError, match="the same run number"):
        find_runs(f"{tmp_path}/{{setting}}/run_{{n}}")


def test_relative_patterns_and_places_inside_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("small-t0.5-1", "small-t0.5-2", "big-1"):
        (tmp_path / "out" / name).mkdir(parents=True)
    found = find_runs("out/{setting}-{n}")
    assert [(run.setting, run.n, run.path) for run in found] == [
        ("big", "1", "out/big-1"),
        ("small-t0.5", "1", "out/small-t0.5-1"),
        ("small-t0.5", "2", "out/small-t0.5-2"),
    ]


@pytest.mark.parametrize(
    "pattern", ["out", "out/{setting}", "{n}/{n}", "{model}/{n}", "nowhere/{setting}/run_{n}"]
)
def test_patterns_that_are_wrong(
    pattern: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match="--runs"):
        find_runs(pattern)
