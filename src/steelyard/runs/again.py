"""Stored attempts scored again, or judged again: no call of the model, and the old run stays as it is."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from steelyard.errors import DataError
from steelyard.runs.apart import SECONDS
from steelyard.runs.files import read_json
from steelyard.runs.flips import Flips, Scored, flip
from steelyard.runs.journal import NAME as JOURNAL
from steelyard.runs.journal import Break, Journal
from steelyard.runs.judge_file import JUDGE, judge_file_changes
from steelyard.runs.judging import JudgeDoor, judge_all
from steelyard.runs.ledger import Ledger
from steelyard.runs.lines import AttemptLine
from steelyard.runs.lock import locked
from steelyard.runs.loop import Record, Stopped
from steelyard.runs.outputs import RESULTS, Sample, sample_at
from steelyard.runs.plan import RunPlan, asked_hash, scoring_key, signature
from steelyard.runs.results import Prices
from steelyard.runs.run import Options, Outcome, asked_now, finished, make_folder, model_name
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
    ``check`` scores again only to compare: the new run is the same run, whatever its chain says.
    """

    by: str
    plan: RunPlan
    judge: JudgeDoor | None = None
    only_judged: bool = False
    output: Path | None = None
    prices: Prices = Prices()
    noted: dict[str, Any] | None = None
    check: Check | None = None


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """What scoring again leaves as it stands, and the breaks that it finds in the chain of the journal.

    ``keeps`` says whether a sample is not scored again, and ``stays`` whether its stored score stays because the new
    one could not be computed.
    """

    keeps: Callable[[Sample], bool]
    stays: Callable[[Sample, Sample], bool]
    breaks: list[Break]


class Rescored(NamedTuple):
    """A run and what scoring it again made of it; the new one is gone with the context, unless an output was named."""

    old: Record
    new: Record
    folder: Path
    outcome: Outcome
    rewritten: int


def score_again(source: Path, how: How) -> Again:
    """Score the stored attempts with the plan's benchmark; a run of its own, where an output is named."""
    with rescored(source, how) as found:
        return Again(
            outcome=found.outcome,
            flips=_flips(found.old, found.new),
            before=_before(source),
            rewritten=found.rewritten,
            notes=found.old.journal.state.notes,
        )


@contextmanager
def rescored(source: Path, how: How) -> Iterator[Rescored]:
    """Score the stored attempts again, into the folder that is named or into a temporary one."""
    about = RunFile.read(source)
    if how.output is not None and (is_run(how.output) or how.output.resolve() == source.resolve()):
        raise DataError("there is a run here already; name another folder", file=str(how.output))
    with ExitStack() as stack:
        stack.enter_context(locked(source, reading=True))
        asked, breaks = (asked_now(how.plan), how.check.breaks) if how.check else (None, None)
        old = stack.enter_context(
            stored_record(source, how.plan, about, asked=asked, breaks=breaks)
        )
        folder = how.output or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="steelyard-"))
        )
        make_folder(folder)
        stack.enter_context(locked(folder))
        if (source / JUDGE).exists():
            shutil.copyfile(source / JUDGE, folder / JUDGE)
        derived = _derived(about, how, source)
        derived.begin_session(by=how.by)
        derived.write(folder)
        ledger = Ledger(old.ledger.problems, old.ledger.repeats, by=scoring_key(derived.shapes))
        journal = stack.enter_context(closing(Journal.open(folder / JOURNAL, ledger.note)))
        new = Record(how.plan, journal, ledger)
        rewritten = _copy(old, new, how, about.options.get("scorer_timeout", SECONDS))
        stopped = _judge(new, how)
        if how.check is not None:
            _keep_stored(old, new, how.check)
        options = Options(folder=folder, prices=how.prices)
        outcome = finished(
            new, options, derived, Watch(ledger.total, clustered=new.plan.clustered), stopped
        )
        yield Rescored(old, new, folder, outcome, rewritten)


def _copy(old: Record, new: Record, how: How, seconds: float) -> int:
    """Each attempt with its new score; how many attempts answer the question in other words than it has now."""
    rewritten = 0
    with closing(SampleScorer(how.plan.benchmark, seconds=seconds)) as scorer:
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


def _keep_stored(old: Record, new: Record, check: Check) -> None:
    """Take over the stored scores that cannot be computed."""
    for place in range(old.ledger.total):
        was, now = sample_at(old, place), sample_at(new, place)
        if old.ledger.score(place) is not None and check.stays(was, now):
            new.keep_scores([(was.key, was.score)], judged=was.judged)


def _blocks(record: Record) -> Iterator[list[Sample]]:
    for first in range(0, record.ledger.total, BATCH):
        yield [
            sample_at(record, place)
            for place in range(first, min(first + BATCH, record.ledger.total))
        ]


def _is_scored_again(sample: Sample, how: How) -> bool:
    if sample.attempt is None or sample.attempt.error:
        return False
    if how.check is not None and how.check.keeps(sample):
        return False
    return not how.only_judged or sample.judged or sample.score.pending


def _is_kept(sample: Sample, how: How) -> bool:
    answered = isinstance(sample.attempt, AttemptLine) and not sample.attempt.error
    return answered and not _is_scored_again(sample, how)


def _derived(about: RunFile, how: How, source: Path) -> RunFile:
    """The file of the new run, which says what it was made of."""
    if how.check is not None:
        return msgspec.structs.replace(about, sessions=[], journal=None)
    judge = how.judge.identity if how.judge is not None else about.shapes.get("judge")
    shapes = how.plan.shapes(about.shapes["model"], judge)
    return RunFile(
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
        changes=[*about.changes, *judge_file_changes(about, source)],
        derived_from={"by": how.by, "signature": about.signature},
    )


def _judge(record: Record, how: How) -> Stopped | None:
    if how.judge is not None:
        try:
            run_async(
                _judged(
                    record, how.judge, Watch(record.ledger.total, clustered=record.plan.clustered)
                )
            )
        except Stopped as stopped:
            return stopped
    return None


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
