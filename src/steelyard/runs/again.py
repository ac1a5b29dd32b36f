"""Stored attempts scored again, or judged again: no call of the model, and the old run stays as it is."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError
from steelyard.runs.files import read_json
from steelyard.runs.flips import Flips, Scored, flip
from steelyard.runs.journal import NAME as JOURNAL
from steelyard.runs.journal import Journal
from steelyard.runs.judge_file import JUDGE
from steelyard.runs.judging import JudgeDoor, judge_all
from steelyard.runs.ledger import Ledger
from steelyard.runs.lines import AttemptLine
from steelyard.runs.lock import locked
from steelyard.runs.loop import Record, Stopped
from steelyard.runs.outputs import RESULTS, Sample, sample_at
from steelyard.runs.plan import RunPlan, asked_hash, scoring_key, signature
from steelyard.runs.results import Prices
from steelyard.runs.run import Options, Outcome, finished, make_folder, model_name
from steelyard.runs.run_file import RunFile, environment, is_run
from steelyard.runs.scoring import SampleScorer
from steelyard.runs.session import run_async
from steelyard.runs.stored import stored_record
from steelyard.runs.watch import Watch

BATCH = 128


class Again(msgspec.Struct, frozen=True, kw_only=True):
    """What scoring again came to."""

    outcome: Outcome
    flips: Flips
    before: dict[str, Any] | None
    rewritten: int
    notes: list[str]


class How(msgspec.Struct, frozen=True, kw_only=True):
    """How to score again: ``only_judged`` leaves alone what no judge has a say in.

    ``noted`` are the options that the new run has in the place of the old one's, so that it says itself who judged it.
    """

    by: str
    plan: RunPlan
    judge: JudgeDoor | None = None
    only_judged: bool = False
    output: Path | None = None
    prices: Prices = Prices()
    noted: dict[str, Any] | None = None


def score_again(source: Path, how: How) -> Again:
    """Score the stored attempts with the plan's benchmark; a run of its own, where an output is named."""
    about = RunFile.read(source)
    if how.output is not None and (is_run(how.output) or how.output.resolve() == source.resolve()):
        raise DataError("there is a run here already; name another folder", file=str(how.output))
    with ExitStack() as stack:
        stack.enter_context(locked(source, reading=True))
        old = stack.enter_context(stored_record(source, how.plan, about))
        folder = how.output or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="steelyard-"))
        )
        make_folder(folder)
        stack.enter_context(locked(folder))
        if (source / JUDGE).exists():
            shutil.copyfile(source / JUDGE, folder / JUDGE)
        derived = _derived(about, how, folder)
        ledger = Ledger(old.ledger.problems, old.ledger.repeats, by=scoring_key(derived.shapes))
        journal = stack.enter_context(closing(Journal.open(folder / JOURNAL, ledger.note)))
        new = Record(how.plan, journal, ledger)
        rewritten = _copy(old, new, how)
        outcome = _finish(new, how, derived, folder)
        flips = _flips(old, new)
    return Again(
        outcome=outcome,
        flips=flips,
        before=_before(source),
        rewritten=rewritten,
        notes=old.journal.state.notes,
    )


def _copy(old: Record, new: Record, how: How) -> int:
    """Each attempt with its new score; how many attempts answer the question in other words than it has now."""
    rewritten = 0
    with closing(SampleScorer(how.plan.benchmark)) as scorer:
        for block in _blocks(old):
            attempts = [(sample, sample.attempt) for sample in block if sample.attempt is not None]
            rewritten += sum(
                line.asked != asked_hash(how.plan.messages(sample.problem))
                for sample, line in attempts
            )
            new.keep_attempts((line, sample.place) for sample, line in attempts)
            _keep_scores(block, new, how, scorer)
    return rewritten


def _keep_scores(block: list[Sample], new: Record, how: How, scorer: SampleScorer) -> None:
    again = [sample for sample in block if _is_scored_again(sample, how)]
    scores = scorer.batch(
        [(sample.problem, sample.attempt.response) for sample in again if sample.attempt]
    )
    kept = [sample for sample in block if _is_kept(sample, how)]
    new.keep_scores((sample.key, sample.score) for sample in kept if not sample.judged)
    new.keep_scores(((sample.key, sample.score) for sample in kept if sample.judged), judged=True)
    new.keep_scores((sample.key, score) for sample, score in zip(again, scores, strict=True))


def _blocks(record: Record) -> Iterator[list[Sample]]:
    for first in range(0, record.ledger.total, BATCH):
        yield [
            sample_at(record, place)
            for place in range(first, min(first + BATCH, record.ledger.total))
        ]


def _is_scored_again(sample: Sample, how: How) -> bool:
    if sample.attempt is None or sample.attempt.error:
        return False
    return not how.only_judged or sample.judged or sample.score.pending


def _is_kept(sample: Sample, how: How) -> bool:
    answered = isinstance(sample.attempt, AttemptLine) and not sample.attempt.error
    return answered and not _is_scored_again(sample, how)


def _derived(about: RunFile, how: How, folder: Path) -> RunFile:
    """The file of the new run, which says what it was made of."""
    judge = how.judge.identity if how.judge is not None else about.shapes.get("judge")
    shapes = how.plan.shapes(about.shapes["model"], judge)
    found = RunFile(
        benchmark=how.plan.benchmark.name,
        reference=how.plan.reference,
        model=about.model,
        signature=signature(shapes, repeats=how.plan.repeats, problems=len(how.plan.problems)),
        shapes=shapes,
        problems=len(how.plan.problems),
        repeats=how.plan.repeats,
        limit=how.plan.limit,
        options=about.options if how.noted is None else how.noted,
        judge=model_name(shapes.get("judge", {})),
        environment=environment(),
        changes=about.changes,
        derived_from={"by": how.by, "signature": about.signature},
    )
    found.begin_session(by=how.by)
    found.write(folder)
    return found


def _finish(record: Record, how: How, about: RunFile, folder: Path) -> Outcome:
    watch = Watch(record.ledger.total)
    stopped: Stopped | None = None
    if how.judge is not None:
        try:
            run_async(_judged(record, how.judge, watch))
        except Stopped as found:
            stopped = found
    options = Options(folder=folder, prices=how.prices)
    return finished(record, options, about, watch, stopped)


async def _judged(record: Record, judge: JudgeDoor, watch: Watch) -> None:
    try:
        await judge_all(record, judge, watch)
    finally:
        await judge.close()


def _flips(old: Record, new: Record) -> Flips:
    flips = Flips()
    for place in range(old.ledger.total):
        was, now = sample_at(old, place), sample_at(new, place)
        response = was.attempt.response if was.attempt is not None else ""
        named, asked = (was.key, was.problem.id), (was.problem.target, response)
        found = flip(named, asked, Scored(was.score, was.judged), Scored(now.score, now.judged))
        if found is not None:
            flips.add(found)
    return flips


def _before(source: Path) -> dict[str, Any] | None:
    return read_json(source / RESULTS)["headline"] if (source / RESULTS).exists() else None
