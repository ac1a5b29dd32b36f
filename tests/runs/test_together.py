"""Attempts of one moment are written at once, and each is in the journal before its worker goes on."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from contextlib import closing
from pathlib import Path

import pytest

from steelyard.bench import make_benchmark
from steelyard.errors import StoreError
from steelyard.runs.journal import Journal
from steelyard.runs.ledger import Ledger
from steelyard.runs.lines import AttemptLine
from steelyard.runs.loop import Record, Together
from steelyard.runs.plan import RunPlan

COUNT = 6


@pytest.fixture
def plan() -> RunPlan:
    rows = [{"question": f"{place}?", "target": "4"} for place in range(COUNT)]
    return RunPlan(
        make_benchmark(name="six", dataset=lambda: rows, prompt="{question}", scorer="exact_match")
    )


def attempt(place: int) -> AttemptLine:
    return AttemptLine(key=f"{place}.0", asked="a", response="4" * (place + 1))


def record_of(plan: RunPlan, journal: Journal) -> Record:
    return Record(plan, journal, Ledger(COUNT, 1))


def test_every_attempt_is_found_again(
    plan: RunPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes, write = list[int](), os.write
    monkeypatch.setattr(
        os, "write", lambda handle, data: writes.append(len(data)) or write(handle, data)
    )
    with closing(Journal.open(tmp_path / "journal.jsonl", lambda line, offset: None)) as journal:
        record = record_of(plan, journal)
        together = Together(record)

        async def main() -> None:
            await asyncio.gather(
                *(together.keep(attempt(place), place) for place in range(COUNT - 1))
            )
            await together.keep(attempt(COUNT - 1), COUNT - 1)

        writes.clear()
        asyncio.run(main())
        assert len(writes) == 2
        found = [journal.read(record.ledger.attempt(place) or 0) for place in range(COUNT)]
    assert found == [attempt(place) for place in range(COUNT)]


def test_it_is_in_the_journal_when_its_worker_goes_on(plan: RunPlan, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with closing(Journal.open(path, lambda line, offset: None)) as journal:
        together = Together(record_of(plan, journal))

        async def worker(place: int) -> bool:
            await together.keep(attempt(place), place)
            return f'"{place}.0"' in path.read_text()

        async def main() -> list[bool]:
            return await asyncio.gather(*map(worker, range(COUNT)))

        assert all(asyncio.run(main()))


def test_whoever_is_cancelled_takes_nobody_along_and_loses_nothing(
    plan: RunPlan, tmp_path: Path
) -> None:
    with closing(Journal.open(tmp_path / "journal.jsonl", lambda line, offset: None)) as journal:
        record = record_of(plan, journal)
        together = Together(record)

        async def main() -> list[BaseException | None]:
            tasks = [
                asyncio.create_task(together.keep(attempt(place), place)) for place in range(3)
            ]
            await asyncio.sleep(0)
            tasks[1].cancel()
            return await asyncio.gather(*tasks, return_exceptions=True)

        first, cancelled, last = asyncio.run(main())
        assert (first, last) == (None, None)
        assert isinstance(cancelled, asyncio.CancelledError)
        assert [record.ledger.attempt(place) is not None for place in range(4)] == [
            True,
            True,
            True,
            False,
        ]


def test_where_nothing_can_be_written_all_are_told(plan: RunPlan, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.touch()
    with closing(Journal.reading(path, lambda line, offset: None)) as journal:
        record = record_of(plan, journal)
        together = Together(record)

        async def main() -> list[BaseException | None]:
            return await asyncio.gather(
                *(together.keep(attempt(n), n) for n in range(3)), return_exceptions=True
            )

        told = asyncio.run(main())
        assert [type(one) for one in told] == [StoreError] * 3
        assert list(record.ledger.to_ask()) == list(range(COUNT))


def test_on_a_full_disk_those_are_kept_that_still_fit(plan: RunPlan, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with closing(Journal.open(path, lambda line, offset: None)) as journal:
        record = record_of(plan, journal)
        together = Together(record)

        async def main() -> list[BaseException | None]:
            return await asyncio.gather(
                *(together.keep(attempt(n), n) for n in range(4)), return_exceptions=True
            )

        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (260, limits[1]))  # two lines and a half
        try:
            told = asyncio.run(main())
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, before)
        asyncio.run(together.keep(attempt(5), 5))
        assert [type(one) for one in told] == [type(None)] * 2 + [StoreError] * 2
        for place in (0, 1, 5):
            assert journal.read(record.ledger.attempt(place) or 0) == attempt(place)
        assert list(record.ledger.to_ask()) == [2, 3, 4]
    assert len(path.read_bytes().splitlines()) == 3
    Journal.open(path, lambda line, offset: None).close()  # the chain goes on over what failed


def test_a_bug_while_writing_leaves_nobody_waiting(plan: RunPlan, tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "journal.jsonl", lambda line, offset: None)) as journal:
        together = Together(record_of(plan, journal))

        async def main() -> list[BaseException | None]:
            asyncio.get_running_loop().set_exception_handler(lambda loop, told: None)
            wrong = AttemptLine(key="1.0", asked="a", response=object())  # type: ignore[arg-type]
            lines = [attempt(0), wrong]
            told = asyncio.gather(
                *(together.keep(line, COUNT + 9) for line in lines), return_exceptions=True
            )
            return await asyncio.wait_for(told, 30)

        assert [type(one) for one in asyncio.run(main())] == [StoreError] * 2


def test_nothing_comes_behind_half_a_line_that_cannot_be_cut_off(
    plan: RunPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write = tmp_path / "journal.jsonl", os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) > 10:
            return write(handle, data[:10])
        raise OSError("no space left")

    def stuck(handle: int, size: int) -> None:
        raise OSError("cannot be cut")

    with closing(Journal.open(path, lambda line, offset: None)) as journal:
        record = record_of(plan, journal)
        record.keep_attempts([(attempt(0), 0)])
        with monkeypatch.context() as patched:
            patched.setattr(os, "ftruncate", stuck)
            patched.setattr(os, "write", lambda handle, data: full(handle, data[:20]))
            with pytest.raises(StoreError):
                record.keep_attempts([(attempt(1), 1)])
        with pytest.raises(StoreError):
            record.keep_attempts([(attempt(2), 2)])
    found = list[AttemptLine]()
    Journal.open(path, lambda line, offset: found.append(line)).close()  # type: ignore[arg-type]
    assert found == [attempt(0)]
