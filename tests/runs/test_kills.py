"""A run that is killed loses nothing, doubles nothing, and ends with the same files."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.support import BENCH, JUDGE_CALLS, OPEN, TOTAL, Bench, Nursery, files, results, rows

AT_ONCE = 8


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    made = Nursery(tmp_path)
    yield made
    made.close()


def stored(folder: Path) -> set[str]:
    """The prompts whose attempts are in the journal, whole."""
    journal = folder / "journal.jsonl"
    if not journal.exists():
        return set()
    whole = [
        line for line in journal.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")
    ]
    found = [line for line in whole if b'"kind":"attempt"' in line]
    return {
        f"What is {n} + {n}?"
        for n in (int(line.split(b'"key":"')[1].split(b".")[0]) for line in found)
    }


def wait_for_a_moment(bench: Bench, dice: random.Random, calls: int) -> None:
    """Any moment of a run: while it starts, while it asks or judges, while it writes its files."""
    if dice.random() < 0.2:
        time.sleep(dice.uniform(0.0, 0.4))
        return
    patience = time.monotonic() + 2.0
    while bench.server.calls < calls and time.monotonic() < patience:
        time.sleep(0.001)
    time.sleep(dice.choice([0.0, dice.uniform(0.0, 0.005), dice.uniform(0.0, 0.1)]))


def killed_until_done(
    bench: Bench, nursery: Nursery, folder: Path, dice: random.Random
) -> list[int]:
    """Run it, kill it at a random moment, go on, until it comes to its end; how much was stored at each kill."""
    kills: list[int] = []
    while True:
        known, asked = stored(folder), bench.server.calls
        pid = nursery.start(bench.args(folder, "--resume"))
        wait_for_a_moment(bench, dice, asked + dice.randint(0, TOTAL - len(known) + JUDGE_CALLS))
        os.kill(pid, signal.SIGKILL)
        code = nursery.wait(pid)
        assert not known & set(bench.prompts(asked)), "a stored attempt was asked for again"
        if code == 0:
            return kills
        assert code == -signal.SIGKILL, nursery.printed()
        kills.append(len(stored(folder)))


def many_kills(bench: Bench, nursery: Nursery, tmp_path: Path, wanted: int, seed: int) -> None:
    bench.plan(delay=0.006)
    assert nursery.wait(nursery.start(bench.args(tmp_path / "whole"))) == 0, nursery.printed()
    needed, whole = bench.server.calls, files(tmp_path / "whole")
    assert needed == TOTAL + JUDGE_CALLS
    dice, kills, number = random.Random(seed), list[int](), 0
    while len(kills) < wanted:
        folder, before = tmp_path / f"killed-{number}", bench.server.calls
        here = killed_until_done(bench, nursery, folder, dice)
        assert files(folder) == whole
        time.sleep(0.02)  # what was in flight at the last kill may still come in
        assert bench.server.calls - before <= needed + len(here) * AT_ONCE, (
            "more calls repeated than were in flight"
        )
        keys = [row["key"] for row in rows(folder / "scores.jsonl")]
        assert keys == [f"{n}.0" for n in range(TOTAL)]
        kills, number = kills + here, number + 1
    assert any(0 < count < TOTAL for count in kills), "no kill struck in the middle"


def test_ten_kills(bench: Bench, nursery: Nursery, tmp_path: Path) -> None:
    many_kills(bench, nursery, tmp_path, 10, seed=1)


@pytest.mark.slow
def test_a_hundred_kills(bench: Bench, nursery: Nursery, tmp_path: Path) -> None:
    many_kills(bench, nursery, tmp_path, 100, seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("largest", [3_000, 9_000, 13_000, 20_000])
def test_a_full_disk_stops_the_run_and_it_can_be_resumed(
    bench: Bench, nursery: Nursery, tmp_path: Path, largest: int
) -> None:
    assert nursery.wait(nursery.start(bench.args(tmp_path / "whole"))) == 0, nursery.printed()
    folder = tmp_path / "full"
    assert nursery.wait(nursery.start(bench.args(folder), largest_file=largest)) == 3, (
        nursery.printed()
    )
    said = nursery.printed()
    assert "cannot be written" in said or "cannot be kept" in said
    assert "--resume goes on" in said
    assert "bug" not in said
    assert not list(folder.glob(".*.part"))
    known, asked = stored(folder), bench.server.calls
    assert known
    assert nursery.wait(nursery.start(bench.args(folder, "--resume"))) == 0, nursery.printed()
    assert not known & set(bench.prompts(asked))
    assert files(folder) == files(tmp_path / "whole")


def test_a_change_that_is_allowed_holds_also_when_the_session_dies(
    bench: Bench, nursery: Nursery, tmp_path: Path
) -> None:
    folder, other = tmp_path / "run", BENCH.replace("numeric_match", "exact_match")
    assert nursery.wait(nursery.start(bench.args(folder))) == 0, nursery.printed()
    bench.file.write_text(other, encoding="utf-8")
    full = (folder / "journal.jsonl").stat().st_size + 100
    assert (
        nursery.wait(
            nursery.start(bench.args(folder, "--resume", "--allow-change"), largest_file=full)
        )
        == 3
    )
    asked = bench.server.calls
    assert nursery.wait(nursery.start(bench.args(folder, "--resume"))) == 0, nursery.printed()
    assert not bench.prompts(asked)
    assert results(folder)["headline"]["correct"] == OPEN, "scores of the former scorer are left"


def test_ctrl_c_keeps_what_there_is(bench: Bench, nursery: Nursery, tmp_path: Path) -> None:
    bench.plan(delay=0.05)
    folder = tmp_path / "run"
    pid = nursery.start(bench.args(folder))
    while bench.server.calls < TOTAL // 2:
        time.sleep(0.005)
    os.kill(pid, signal.SIGINT)
    assert nursery.wait(pid) == 130, nursery.printed()
    head = results(folder)["headline"]
    assert 0 < head["scored"] < head["total"] == TOTAL
    assert head["worst"] <= head["value"] <= head["best"]
    assert nursery.wait(nursery.start(bench.args(folder, "--resume"))) == 0, nursery.printed()
    assert results(folder)["headline"]["scored"] == TOTAL


def test_a_second_run_in_the_folder_is_refused(
    bench: Bench, nursery: Nursery, tmp_path: Path
) -> None:
    bench.plan(delay=1.0)
    folder = tmp_path / "run"
    first = nursery.start(bench.args(folder))
    while bench.server.calls < AT_ONCE:
        time.sleep(0.005)
    before = (folder / "run.json").read_bytes()
    assert nursery.wait(nursery.start(bench.args(folder, "--resume"))) == 2
    assert "another run is at work in this folder" in nursery.printed()
    assert (folder / "run.json").read_bytes() == before
    bench.plan()
    assert nursery.wait(first) == 0, nursery.printed()
    assert bench.server.calls == TOTAL + JUDGE_CALLS
