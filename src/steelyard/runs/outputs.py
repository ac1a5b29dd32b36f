"""The files of a run, in sample order, made from the journal: the same bytes however often the run was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import UNSET

from steelyard.bench.definition import Problem
from steelyard.runs.files import ATTEMPTS as ATTEMPTS
from steelyard.runs.files import FAILURES as FAILURES
from steelyard.runs.files import RESULTS as RESULTS
from steelyard.runs.files import SCORES as SCORES
from steelyard.runs.files import TIMINGS as TIMINGS
from steelyard.runs.files import replacing, write_json
from steelyard.runs.lines import AttemptLine, Line, ScoreLine, encode
from steelyard.runs.loop import Record
from steelyard.runs.results import Prices, results
from steelyard.runs.tally import RunTally
from steelyard.score import Part, Score, unscored

Read = Callable[[int], Line]
NOT_ASKED = "not asked yet: the run ended before its turn"


class AttemptRow(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A line of ``attempts.jsonl``."""

    key: str
    id: str
    problem: int
    repeat: int
    messages: tuple[Any, ...]
    response: str | None
    reasoning: str = ""
    finish: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    served_by: str = ""
    error: str = ""
    error_kind: str = ""


class ScoreRow(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A line of ``scores.jsonl``: the Score with the sample's name; ``detail["calls"]`` names the judge's replies."""

    key: str
    id: str
    status: str
    value: float | None
    correct: bool
    target: str
    category: str | None = None
    cluster: str | None = None
    extracted: Any = UNSET
    span: tuple[int, int] | None = None
    reason: str = ""
    parts: tuple[Part, ...] = ()
    detail: dict[str, Any] = {}
    pending: bool = False
    judged: bool = False
    failure: str | None = None


class TimingRow(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A line of ``timings.jsonl``: what was measured."""

    key: str
    seconds: float
    ended: float


class Sample(msgspec.Struct, frozen=True):
    """One sample as a run has it: the problem, the attempt if there is one, and its score."""

    place: int
    key: str
    problem: Problem
    attempt: AttemptLine | None
    score: Score
    judged: bool = False


def sample_at(record: Record, place: int, reads: tuple[Read, Read] | None = None) -> Sample:
    """The sample at that place; what has no score says why. ``reads`` find attempts and scores in the journal."""
    ledger = record.ledger
    read_attempt, read_score = reads or (record.journal.read, record.journal.read)
    at, scored_at = ledger.attempt(place), ledger.score(place)
    attempt = read_attempt(at) if at is not None else None
    line = read_score(scored_at) if scored_at is not None else None
    if attempt is not None and not isinstance(attempt, AttemptLine):
        attempt = None
    score, judged = without_score(attempt), False
    if isinstance(line, ScoreLine):
        score, judged = line.score, line.judged
    return Sample(place, ledger.key(place), record.plan.problem(place), attempt, score, judged)


def without_score(attempt: AttemptLine | None) -> Score:
    """Why a sample has no score: our side's fault, whatever it was."""
    if attempt is None:
        return unscored(NOT_ASKED)
    if attempt.error:
        return unscored(f"the model did not answer ({attempt.error_kind}): {attempt.error}")
    return unscored("not scored yet: the run ended before its turn")


def write_outputs(
    record: Record, folder: Path, about: Mapping[str, Any], prices: Prices
) -> RunTally:
    """Write all files but those of the judge and the reports; the counts that they came to."""
    tally = RunTally(record.plan.repeats, clustered=bool(record.plan.benchmark.cluster_field))
    with ExitStack() as stack:
        names = (ATTEMPTS, SCORES, TIMINGS)
        files = [stack.enter_context(replacing(folder / name)) for name in names]
        for block in _by_problem(record):
            _write_problem(record, block, files, tally)
    write_json(folder / RESULTS, results(tally, dict(about), prices))
    write_json(folder / FAILURES, tally.failures.analysis())
    return tally


def _by_problem(record: Record) -> Iterator[list[Sample]]:
    repeats = record.plan.repeats
    reads = (
        record.journal.reader(),
        record.journal.reader(),
    )  # each kind of lines is about in its order
    for first in range(0, record.ledger.total, repeats):
        yield [sample_at(record, place, reads) for place in range(first, first + repeats)]


def _write_problem(
    record: Record, block: list[Sample], files: list[IO[bytes]], tally: RunTally
) -> None:
    problem = block[0].problem
    failures = tally.add(
        problem.index,
        problem.metadata.get("category"),
        [sample.attempt for sample in block],
        [sample.score for sample in block],
        problem.cluster,
    )
    messages = record.plan.messages(problem)
    attempts, scores, timings = files
    for sample, failure in zip(block, failures, strict=True):
        attempts.write(encode(attempt_row(sample, messages)))
        scores.write(encode(score_row(sample, failure)))
        if sample.attempt is not None:
            timing = TimingRow(
                key=sample.key, seconds=sample.attempt.seconds, ended=sample.attempt.ended
            )
            timings.write(encode(timing))


def attempt_row(sample: Sample, messages: tuple[Any, ...]) -> AttemptRow:
    """The attempt as ``attempts.jsonl`` has it; a response of null says that there is none."""
    problem, attempt = sample.problem, sample.attempt
    repeat = int(sample.key.partition(".")[2])
    if attempt is None:
        return AttemptRow(
            key=sample.key,
            id=problem.id,
            problem=problem.index,
            repeat=repeat,
            messages=messages,
            response=None,
        )
    return AttemptRow(
        key=sample.key,
        id=problem.id,
        problem=problem.index,
        repeat=repeat,
        messages=messages,
        response=None if attempt.error else attempt.response,
        reasoning=attempt.reasoning,
        finish=attempt.finish,
        input_tokens=attempt.input_tokens,
        output_tokens=attempt.output_tokens,
        served_by=attempt.served_by,
        error=attempt.error,
        error_kind=attempt.error_kind,
    )


def score_row(sample: Sample, failure: str | None) -> ScoreRow:
    """The score as ``scores.jsonl`` has it, with the category of failure that the sample is counted in."""
    score = sample.score
    return ScoreRow(
        key=sample.key,
        id=sample.problem.id,
        status=score.status,
        value=score.value,
        correct=score.correct,
        target=sample.problem.target,
        category=sample.problem.category,
        cluster=sample.problem.cluster,
        extracted=score.extracted,
        span=score.span,
        reason=score.reason,
        parts=score.parts,
        detail=score.detail,
        pending=score.pending,
        judged=sample.judged,
        failure=failure,
    )
