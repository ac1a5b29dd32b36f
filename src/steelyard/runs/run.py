"""A run from its beginning to its files: fresh, or gone on with."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, StoreError
from steelyard.runs.apart import SECONDS
from steelyard.runs.changes import Change
from steelyard.runs.files import read_json
from steelyard.runs.journal import NAME as JOURNAL
from steelyard.runs.journal import Journal
from steelyard.runs.judge_file import (
    count_spent,
    judge_digest,
    judge_file_changes,
    write_judge_file,
)
from steelyard.runs.ledger import Ledger
from steelyard.runs.lines import AttemptLine
from steelyard.runs.lock import locked
from steelyard.runs.loop import Record, Stopped
from steelyard.runs.outputs import RESULTS, write_outputs
from steelyard.runs.plan import RunPlan, asked_hash, scoring_key, signature
from steelyard.runs.rehearsal import rehearse
from steelyard.runs.results import Prices
from steelyard.runs.run_file import RunFile, environment, is_run, went_on
from steelyard.runs.scoring import SampleScorer
from steelyard.runs.session import Doors, run_async, work
from steelyard.runs.watch import Watch


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to run; of all this only ``allow_change`` can touch a number."""

    folder: Path
    resume: bool = False
    allow_change: bool = False
    concurrency: int = 16
    scorer_seconds: float = SECONDS
    prices: Prices = Prices()
    noted: dict[str, Any] = {}
    on_begin: Callable[[Watch], Any] = lambda watch: None
    on_change: Callable[[list[Change]], Any] = lambda changed: None
    on_journal: Callable[[list[str]], Any] = lambda notes: None


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended: its folder, its results, and why it stopped early if it did."""

    folder: Path
    results: dict[str, Any]
    stopped: str = ""
    signal: int = 0
    asked: int = 0

    @property
    def interrupted(self) -> bool:
        """Whether somebody wanted it to end before its time."""
        return self.signal != 0

    @property
    def exit_code(self) -> int:
        """0 where every sample has a score, else 3; 130 after Ctrl-C and 143 after SIGTERM, as shells have it."""
        if self.signal:
            return 128 + self.signal
        head = self.results["headline"]
        return 0 if head["scored"] == head["total"] and not self.stopped else 3


def run_benchmark(plan: RunPlan, doors: Doors, options: Options) -> Outcome:
    """Ask for what the journal lacks, score it, have it judged, and write every file but the reports.

    Anything that is wrong with the plan, the folder or the judge is told before the first call of a model.
    """
    plan.benchmark.check(judge=doors.judge is not None)
    folder = options.folder
    if is_run(folder) and not options.resume:
        raise DataError("there is a run here; --resume goes on with it", file=str(folder))
    # Before the folder is held and anything is opened: a process that is forked holds what it finds.
    with contextlib.closing(SampleScorer(plan.benchmark, seconds=options.scorer_seconds)) as scorer:
        with contextlib.redirect_stdout(sys.stderr):
            rehearse(plan, scorer, judged=doors.judge is not None)
        return _run_in(plan, doors, options, scorer)


def _run_in(plan: RunPlan, doors: Doors, options: Options, scorer: SampleScorer) -> Outcome:
    folder = options.folder
    make_folder(folder)
    with locked(folder):
        shapes = plan.shapes(doors.model.identity, doors.judge.identity if doors.judge else None)
        about = run_file(plan, options, shapes)
        ledger = Ledger(
            len(plan.problems), plan.repeats, by=scoring_key(shapes), asked=asked_now(plan)
        )
        with contextlib.closing(
            Journal.open(folder / JOURNAL, ledger.note, about.journal)
        ) as journal:
            options.on_journal(journal.state.notes)
            about.begin_session(concurrency=options.concurrency)
            about.write(folder)
            return _run(Record(plan, journal, ledger), doors, scorer, options, about)


def make_folder(folder: Path) -> None:
    """The folder of the run, with those around it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        raise DataError(f"cannot be made: {failed.strerror or failed}", file=str(folder)) from None


def run_file(plan: RunPlan, options: Options, shapes: dict[str, Any]) -> RunFile:
    """The run's own file; it tells what has changed since the run was begun, where that was allowed."""
    changed: list[Change] = []
    edited: list[str] = []
    before = RunFile.read(options.folder) if is_run(options.folder) else None
    if before is not None:
        changed = went_on(before, shapes)
        if changed and not options.allow_change:
            told = "\n".join(f"  {change}" for change in changed)
            raise DataError(
                f"the run was begun with something else; --allow-change goes on nevertheless\n{told}",
                file=str(options.folder),
            )
        options.on_change(changed)
        edited = judge_file_changes(before, options.folder)
    return RunFile(
        benchmark=plan.benchmark.name,
        reference=plan.reference,
        model=model_name(shapes["model"]),
        signature=signature(shapes, repeats=plan.repeats, problems=len(plan.problems)),
        shapes=shapes,
        problems=len(plan.problems),
        repeats=plan.repeats,
        limit=plan.limit,
        options=options.noted,
        judge=model_name(shapes.get("judge", {})),
        environment=environment(),
        journal=before.journal if before else None,
        judge_digest=before.judge_digest if before else "",
        sessions=before.sessions if before else [],
        changes=[*(before.changes if before else []), *map(str, changed), *edited],
    )


def model_name(identity: dict[str, Any]) -> str:
    """What a reader calls the model."""
    inner = identity.get("model")
    named = (
        inner if isinstance(inner, str) else inner.get("name") if isinstance(inner, dict) else None
    )
    return str(identity.get("name") or named or identity.get("id") or identity.get("kind") or "")


def asked_now(plan: RunPlan) -> Callable[[int, AttemptLine], int | None]:
    """How long the question of an attempt is; None where it is asked in other words now."""

    def check(place: int, line: AttemptLine) -> int | None:
        messages = plan.messages(plan.problem(place))
        return (
            sum(len(message.content) for message in messages)
            if line.asked == asked_hash(messages)
            else None
        )

    return check


def _run(
    record: Record, doors: Doors, scorer: SampleScorer, options: Options, about: RunFile
) -> Outcome:
    watch = Watch(record.ledger.total, clustered=record.plan.clustered)
    watch.start(record.ledger.total - sum(1 for _ in record.ledger.to_ask()))
    # A budget is for the whole run, not for each time that somebody goes on with it.
    doors.pacer.spent.input_tokens += record.ledger.input_tokens
    doors.pacer.spent.output_tokens += record.ledger.output_tokens
    if doors.judge is not None:
        count_spent(options.folder, doors.judge.model.identity, doors.judge.pacer.spent)
    finish = options.on_begin(watch)
    stopped: Stopped | None = None
    try:
        # The standard output belongs to the results; whatever a user's scorer prints goes to the other one.
        with contextlib.redirect_stdout(sys.stderr):
            stopped = run_async(work(record, doors, scorer, options.concurrency, watch))
    finally:
        if callable(finish):
            finish()
    return finished(record, options, about, watch, stopped)


def finished(
    record: Record, options: Options, about: RunFile, watch: Watch, stopped: Stopped | None
) -> Outcome:
    """The files of the run, written from its journal."""
    folder, reason = options.folder, stopped.reason if stopped else ""
    told: dict[str, Any] = {
        "benchmark": about.benchmark,
        "model": about.model,
        "judge": about.judge or None,
        "signature": about.signature,
        "problems": about.problems,
        "repeats": about.repeats,
        "changes": about.changes,
    }
    try:
        told |= write_judge_file(record, folder)
        tally = write_outputs(record, folder, told, options.prices)
        scored = tally.all.moments.scored == tally.all.moments.total
        status = "stopped" if stopped else "complete" if scored else "incomplete"
        record.journal.sync()  # run.json must not name a line that a sudden death can lose
        about.journal, about.judge_digest = record.journal.last, judge_digest(folder)
        about.end_session(status, reason, asked=watch.asked, seconds=round(watch.seconds, 3))
        about.write(folder)
    except StoreError as failed:
        raise StoreError(
            f"{reason or failed}; what was asked for is kept, and --resume goes on with it"
        ) from None
    return Outcome(
        folder=folder,
        results=read_json(folder / RESULTS),
        stopped=reason,
        signal=stopped.signal if stopped else 0,
        asked=watch.asked,
    )
