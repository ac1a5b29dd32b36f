"""A run that lies in its folder: looked at, never changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from steelyard.bench.definition import Benchmark
from steelyard.bench.load import load_benchmark
from steelyard.errors import DataError, SteelyardError
from steelyard.runs.files import read_json
from steelyard.runs.journal import NAME as JOURNAL
from steelyard.runs.journal import Break, Journal
from steelyard.runs.ledger import Ledger
from steelyard.runs.lines import AttemptLine
from steelyard.runs.loop import Record
from steelyard.runs.outputs import RESULTS
from steelyard.runs.plan import RunPlan, scoring_key
from steelyard.runs.run_file import RunFile, is_run


def stored_plan(
    about: RunFile, benchmark: Benchmark | None = None, cascade: tuple[str, ...] | None = None
) -> RunPlan:
    """Return the plan of a stored run, with its own benchmark as it is today or with another one.

    Without a ``cascade`` the judge decides what it decided in the run.
    """
    found = benchmark or load_benchmark(about.reference, dataset=about.options.get("dataset"))
    if cascade is None:
        cascade = tuple(about.shapes["benchmark"].get("cascade", ()))
    found = msgspec.structs.replace(found, cascade=cascade)
    return RunPlan(
        found,
        reference=about.reference,
        repeats=about.repeats,
        limit=about.limit,
        parameters=about.shapes.get("parameters"),
        system_prompt=about.shapes.get("system_prompt"),
        seed=about.shapes.get("seed"),
    )


@contextmanager
def stored_record(
    folder: Path, plan: RunPlan, about: RunFile, *, breaks: list[Break] | None = None
) -> Iterator[Record]:
    """What the run has of each sample; an attempt at another problem than the plan has there is a DataError.

    So is a broken chain, unless its breaks are to be added to ``breaks``.
    """
    ledger = Ledger(len(plan.problems), plan.repeats, by=scoring_key(about.shapes))
    path = folder / JOURNAL
    with closing(Journal.reading(path, ledger.note, about.journal, breaks=breaks)) as journal:
        record = Record(plan, journal, ledger)
        _refuse_other_problems(record, folder)
        yield record


def _refuse_other_problems(record: Record, folder: Path) -> None:
    for place in range(record.ledger.total):
        offset = record.ledger.attempt(place)
        line = record.journal.read(offset) if offset is not None else None
        now = record.plan.problem(place).id
        if isinstance(line, AttemptLine) and line.id != now:
            raise DataError(
                f"sample {line.key} answers the problem {line.id!r}, and the benchmark has {now!r} there",
                file=str(folder),
            )


def runs_under(folder: Path) -> list[Path]:
    """The runs in a folder, itself or one level down, by name."""
    if is_run(folder):
        return [folder]
    if not folder.is_dir():
        raise DataError(
            "this is a file, not the folder of a run"
            if folder.is_file()
            else "there is no such folder",
            file=str(folder),
        )
    return sorted(path for path in folder.iterdir() if path.is_dir() and is_run(path))


def told_in_short(folder: Path) -> dict[str, Any]:
    """One run for a list of runs; what cannot be read is told in its place."""
    try:
        about = RunFile.read(folder)
    except SteelyardError as wrong:
        return {"folder": str(folder), "status": "unreadable", "why": str(wrong)}
    told: dict[str, Any] = {
        "folder": str(folder),
        "benchmark": about.benchmark,
        "model": about.model,
        "status": about.status,
        "signature": about.signature,
        "begun": about.sessions[0]["begun"] if about.sessions else None,
    }
    if (folder / RESULTS).exists():
        told["headline"] = read_json(folder / RESULTS)["headline"]
    return told
