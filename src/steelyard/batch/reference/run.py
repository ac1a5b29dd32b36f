"""Score a folder of solutions against a folder of references: plan, score what is not done, summarise."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import sys
from collections.abc import Callable, Iterator, Sequence

import msgspec

from steelyard.batch.reference.asked import STORE, JudgeAddress
from steelyard.batch.reference.folder import SUMMARY
from steelyard.batch.reference.plan import FolderPlan, make_plan
from steelyard.batch.reference.record import ProblemScore, read_record, record_path, write_whole
from steelyard.batch.reference.settings import Selection, Settings
from steelyard.batch.reference.summary import ReferenceSummary
from steelyard.batch.reference.summing import make_summary
from steelyard.batch.reference.work import Job, Scored, build_worker, light
from steelyard.engine import Engine, InProcess, Interrupt, LocalProcesses
from steelyard.errors import DataError

# Below these many problems and bytes of solutions, starting workers costs more than they bring.
FEW, SMALL = 100, 2_000_000


class FolderTask(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be scored, how, and where the scores go.

    ``on_start`` hears how many problems there are and how many of them are done, ``on_progress`` of each more.
    """

    references: str
    solutions: str
    output: str
    problems: str | None = None
    judge: str | JudgeAddress | None = None
    settings: Settings = Settings()
    select: Selection = Selection()
    overwrite: bool = False
    workers: int = 1
    on_start: Callable[[int, int], None] = lambda total, done: None
    on_progress: Callable[[ProblemScore], None] = lambda record: None


def score_folder(task: FolderTask) -> ReferenceSummary:
    """Score every problem that is asked for, keep each score as a file, and return the summary.

    A problem whose whole score file has the same signature is not scored again. Whatever is wrong with one
    solution or one reference, the others are scored.
    """
    plan = make_plan(
        task.references,
        task.solutions,
        problems=task.problems,
        judge=task.judge,
        settings=task.settings,
        select=task.select,
        output=task.output,
    )
    with _locked(task.output), Interrupt() as interrupt:
        records, left = _sort_out(task, plan)
        _forget_summary(task.output)
        records, interrupted = _score(task, plan, records, left, interrupt)
        summary = make_summary(
            plan, records, reused=len(plan.jobs) - len(left), interrupted=interrupted
        )
        write_whole(os.path.join(task.output, SUMMARY), summary.to_json())
    return summary


def _forget_summary(folder: str) -> None:
    """A run that is killed must not leave the summary of an earlier one behind."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(os.path.join(folder, SUMMARY))


def _sort_out(task: FolderTask, plan: FolderPlan) -> tuple[dict[str, ProblemScore], list[Job]]:
    """What is done already, and what is left."""
    done: dict[str, ProblemScore] = {}
    left: list[Job] = []
    for job in plan.jobs:
        kept = None if task.overwrite else read_record(record_path(task.output, job.id))
        if kept is not None and is_done(kept, job, plan):
            done[job.id] = light(kept)
        else:
            left.append(job)
    return done, left


def is_done(kept: ProblemScore, job: Job, plan: FolderPlan) -> bool:
    """Whether a kept score is the one that would be made now; what could not be scored is tried again."""
    return (
        kept.id == job.id
        and kept.signature == plan.signature(job)
        and (kept.value is not None or kept.skipped)
    )


def _score(
    task: FolderTask,
    plan: FolderPlan,
    records: dict[str, ProblemScore],
    left: Sequence[Job],
    interrupt: Interrupt,
) -> tuple[dict[str, ProblemScore], bool]:
    engine = _engine(task, plan, left, interrupt)
    with contextlib.closing(engine), contextlib.redirect_stdout(sys.stderr):
        task.on_start(len(plan.jobs), len(records))
        for scored in engine.map(left):
            write_whole(record_path(task.output, scored.record.id), scored.data)
            records[scored.record.id] = scored.record
            task.on_progress(scored.record)
    return records, interrupt.requested


def _engine(
    task: FolderTask, plan: FolderPlan, left: Sequence[Job], interrupt: Interrupt
) -> Engine[Job, Scored]:
    judge = task.judge
    asked = isinstance(judge, JudgeAddress)
    if isinstance(judge, JudgeAddress):  # the folder is there by now
        judge = msgspec.structs.replace(
            judge, store=judge.store or os.path.join(task.output, STORE)
        )
    build = functools.partial(build_worker, task.settings, judge)
    # Whoever waits for a judge does better in company.
    little = (
        not asked
        and len(left) < FEW
        and sum(job.size for job in left) < SMALL
        and task.settings.is_stock
    )
    if task.workers <= 1 or len(left) < 2 or little:
        return InProcess(build, interrupt=interrupt)
    return LocalProcesses(build, workers=min(task.workers, len(left)), interrupt=interrupt)


@contextlib.contextmanager
def _locked(folder: str) -> Iterator[None]:
    """One run at a time writes to a folder; a killed one leaves no lock behind."""
    try:
        os.makedirs(folder, exist_ok=True)
        file = open(os.path.join(folder, ".lock"), "a")  # noqa: SIM115
    except OSError as failed:
        raise DataError(f"cannot be written to: {failed.strerror or failed}", file=folder) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DataError("another run is writing to this folder", file=folder) from None
        yield
