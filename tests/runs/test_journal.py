"""The journal: whole lines, whatever happens."""

from __future__ import annotations

import errno
import multiprocessing
import os
import resource
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steelyard.errors import DataError, StoreError
from steelyard.runs.journal import Journal
from steelyard.runs.ledger import Ledger
from steelyard.runs.lines import AttemptLine, Line, ScoreLine, decoder, encode, writable
from steelyard.runs.lock import locked
from steelyard.score import full, pending, unscored, zero


def attempt(place: int, text: str = "4") -> AttemptLine:
    return AttemptLine(key=f"{place}.0", asked="a", response=text)


def written(path: Path, count: int) -> bytes:
    with closing(Journal.open(path, lambda line, offset: None)) as journal:
        for place in range(count):
            journal.append([encode(attempt(place))])
    return path.read_bytes()


def opened(path: Path) -> list[str]:
    found: list[Line] = []
    Journal.open(path, lambda line, offset: found.append(line)).close()
    return [line.key for line in found]


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
@given(
    cut=st.integers(0, 10_000),
    rubbish=st.sampled_from([b"", b"\0\0\0", b'{"kind":"att', b"\xff\xfe"]),
)
def test_a_torn_end_is_recognised_and_replaced(tmp_path: Path, cut: int, rubbish: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    path.unlink(missing_ok=True)
    whole = written(path, 5)
    cut = min(cut, len(whole))
    path.write_bytes(whole[:cut] + rubbish)
    kept = whole[:cut].count(b"\n")
    assert opened(path) == [f"{place}.0" for place in range(kept)]
    assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:kept])


@pytest.mark.parametrize("line", [2, 3])
def test_a_whole_line_that_cannot_be_read_is_named(tmp_path: Path, line: int) -> None:
    path = tmp_path / "journal.jsonl"
    lines = written(path, 3).splitlines(keepends=True)
    lines[line - 1] = b"rubbish\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(DataError, match=rf"journal.jsonl:{line}: is damaged"):
        opened(path)
    assert path.read_bytes() == b"".join(lines)


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    line = decoder.decode(encode(attempt(0, writable(text))))
    assert isinstance(line, AttemptLine)
    assert line.response == writable(text)


def test_scores_come_back_whole(tmp_path: Path) -> None:
    scores = [
        full(extracted="B", span=(0, 1)),
        zero("no", extracted=None),
        unscored("bug"),
        pending(),
    ]
    path, found = tmp_path / "journal.jsonl", list[Line]()
    with closing(Journal.open(path, lambda line, offset: None)) as journal:
        for place, score in enumerate(scores):
            journal.append([encode(ScoreLine(key=f"{place}.0", score=score))])
    Journal.open(path, lambda line, offset: found.append(line)).close()
    assert [line.score for line in found if isinstance(line, ScoreLine)] == scores


def _fill(path: Path, limit: int, pipe: object) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    journal = Journal.open(path, lambda line, offset: None)
    count = 0
    try:
        while True:
            journal.append([encode(attempt(count, "x" * 100))])
            count += 1
    except StoreError as failed:
        pipe.send((count, str(failed)))  # type: ignore[attr-defined]


def test_where_nothing_more_fits_no_half_line_stays(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    ours, theirs = multiprocessing.get_context("fork").Pipe()
    process = multiprocessing.get_context("fork").Process(target=_fill, args=(path, 10_000, theirs))
    process.start()
    count, message = ours.recv()
    process.join()
    assert os.strerror(errno.EFBIG) in message
    assert path.read_bytes().endswith(b"\n")
    assert opened(path) == [f"{place}.0" for place in range(count)]


def test_a_new_attempt_makes_the_old_score_void() -> None:
    ledger = Ledger(2, 1)
    ledger.note(attempt(0), 0)
    ledger.note(ScoreLine(key="0.0", score=full()), 10)
    assert (list(ledger.to_ask()), list(ledger.to_score())) == ([1], [])
    ledger.note(attempt(0), 20)
    assert list(ledger.to_score()) == [0]


@pytest.mark.parametrize(
    ("lines", "ask", "score", "judge"),
    [
        ([], [0], [], []),
        ([attempt(0)], [], [0], []),
        ([AttemptLine(key="0.0", asked="a", error="down", error_kind="server")], [0], [], []),
        ([attempt(0), ScoreLine(key="0.0", score=pending())], [], [], [0]),
        ([attempt(0), ScoreLine(key="0.0", score=unscored("bug"))], [], [], []),
        ([attempt(0), ScoreLine(key="0.0", score=unscored("?"), judged=True)], [], [], [0]),
        (
            [
                attempt(0),
                ScoreLine(key="0.0", score=pending()),
                ScoreLine(key="0.0", score=full(), judged=True),
            ],
            [],
            [],
            [],
        ),
        ([attempt(7)], [0], [], []),
        ([AttemptLine(key="nonsense", asked="a")], [0], [], []),
    ],
)
def test_what_is_left_to_do(
    lines: list[Line], ask: list[int], score: list[int], judge: list[int]
) -> None:
    ledger = Ledger(1, 1)
    for offset, line in enumerate(lines):
        ledger.note(line, offset)
    assert (list(ledger.to_ask()), list(ledger.to_score()), list(ledger.to_judge())) == (
        ask,
        score,
        judge,
    )


@pytest.mark.parametrize(
    "key", ["3.0", "0.2", "01.1", "٢.١", "9" * 5000 + ".0", "1", "1.", ".1", "1.1.1", "-1.0", ""]
)
def test_a_sample_that_the_run_does_not_have(key: str) -> None:
    assert Ledger(3, 2).place(key) is None
    assert Ledger(3, 2).place("2.1") == 5


def test_a_folder_has_one_run_at_a_time(tmp_path: Path) -> None:
    with locked(tmp_path):
        with pytest.raises(DataError, match="another run is at work"), locked(tmp_path):
            pass
        with (
            pytest.raises(DataError, match="another run is at work"),
            locked(tmp_path, reading=True),
        ):
            pass
    with locked(tmp_path, reading=True), locked(tmp_path, reading=True):
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("size", [10, 300, 5_000, 100_000])
def test_a_reader_finds_what_read_finds(tmp_path: Path, size: int) -> None:
    places = list[int]()
    with closing(Journal.open(tmp_path / "journal.jsonl", lambda line, offset: None)) as journal:
        for place in range(150):
            places += journal.append([encode(attempt(place, f"{place}" * (size // 3)))])
        mixed = sorted(range(150), key=lambda place: place - 40 * (place % 3)) + list(
            range(149, -1, -7)
        )
        read = journal.reader()
        for place in mixed:
            assert read(places[place]) == journal.read(places[place])
