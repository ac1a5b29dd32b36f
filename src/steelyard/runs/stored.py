"""A run that lies in its folder: looked at, never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from steelyard.runs.results import Prices
from steelyard.runs.run_file import RunFile, is_run

if TYPE_CHECKING:
    from steelyard.runs.judging import JudgeDoor


def stored_benchmark(about: RunFile) -> Benchmark:
    """The benchmark of a stored run as it is today, with the spec that it was scored by if there is one."""
    found = load_benchmark(about.reference, dataset=about.options.get("dataset"))
    spec = about.options.get("spec")
    return found if spec is None else with_spec(found, Path(spec))


def with_spec(benchmark: Benchmark, spec: Path) -> Benchmark:
    """The benchmark with a spec in the place of its scorer."""
    from steelyard.bench.scorers import spec_scorer

    return msgspec.structs.replace(benchmark, scorer=spec_scorer(spec), params={}, judge={})


def stored_prices(about: RunFile) -> Prices:
    """The prices of a stored run."""
    return msgspec.convert(about.options.get("prices", {}), Prices)


def stored_judge(about: RunFile, benchmark: Benchmark) -> JudgeDoor:
    """The judge of a stored run as somebody who says only what is stored."""
    if not about.judge:
        raise DataError("the run had no judge; name one with --judge-url and --judge-id")
    from steelyard.judge.store import StoredModel
    from steelyard.models.pace import Pacer
    from steelyard.runs.judging import JudgeDoor

    model = StoredModel(about.shapes["judge"]["model"])
    return JudgeDoor(model, benchmark.judge_config, Pacer(), offline=True)


def stored_plan(
    about: RunFile,
    benchmark: Benchmark | None = None,
    cascade: tuple[str, ...] | None = None,
    *,
    reference: str | None = None,
) -> RunPlan:
    """Return the plan of a stored run, with its own benchmark as it is today or with another one.

    Without a ``cascade`` the judge decides what it decided in the run.
    """
    found = benchmark or stored_benchmark(about)
    if cascade is None:
        cascade = tuple(about.shapes["benchmark"].get("cascade", ()))
    found = msgspec.structs.replace(found, cascade=cascade)
    return RunPlan(
        found,
        reference=reference or about.reference,
        repeats=about.repeats,
        limit=about.limit,
        parameters=about.shapes.get("parameters"),
        system_prompt=about.shapes.get("system_prompt"),
        seed=about.shapes.get("seed"),
    )


@contextmanager
def stored_record(
    folder: Path,
    plan: RunPlan,
    about: RunFile,
    *,
    asked: Callable[[int, AttemptLine], int | None] | None = None,
    breaks: list[Break] | None = None,
) -> Iterator[Record]:
    """What the run has of each sample; an attempt at another problem than the plan has there is a DataError.

    So is a broken chain. With ``breaks`` neither is: the breaks of the chain are added to that list. ``asked`` is that
    of a Ledger.
    """
    ledger = Ledger(len(plan.problems), plan.repeats, by=scoring_key(about.shapes), asked=asked)
    path = folder / JOURNAL
    with closing(Journal.reading(path, ledger.note, about.journal, breaks=breaks)) as journal:
        record = Record(plan, journal, ledger)
        if breaks is None:
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
