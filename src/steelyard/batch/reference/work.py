"""One problem: its solution is read, held against its reference, and comes back as a score file's bytes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from steelyard.batch.reference.answer_format import format_errors
from steelyard.batch.reference.asked import JudgeAddress, open_judge
from steelyard.batch.reference.evidence import quoted, short_text
from steelyard.batch.reference.folder import Entry, read_entry, solution_fault
from steelyard.batch.reference.json_file import read_json_file
from steelyard.batch.reference.parts import compat_score, criteria_of, questions_of
from steelyard.batch.reference.record import (
    ProblemScore,
    ReferenceFault,
    ScoreSignature,
    State,
    encode_record,
)
from steelyard.batch.reference.settings import Settings
from steelyard.doors import Judge
from steelyard.reference import Metric, ReferenceSolution, read_reference_solution, score_solution
from steelyard.version import __version__

# Stands for a solution that is missing or cannot be read: no question is answered.
NOTHING: dict[str, Any] = {"answer": {}}


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A problem to be scored: the reference itself, and where the solution is, if there is one."""

    id: str
    reference: dict[str, Any] | None
    reference_file: str
    reference_sha256: str
    reference_fault: str = ""
    judged: bool = False
    answer_format: Any = None
    problem_sha256: str | None = None
    solution: str | None = None
    solution_sha256: str | None = None
    solution_fault: str = ""
    size: int = 0

    def __str__(self) -> str:
        return f"the problem {self.id!r}"

    @property
    def state(self) -> State:
        """What became of the solution."""
        return (
            "missing" if self.solution is None else "malformed" if self.solution_fault else "read"
        )

    def signature(self, settings: dict[str, Any], judge: str | None) -> ScoreSignature:
        """What shapes this score; a judge that is not asked does not."""
        return ScoreSignature(
            engine=__version__,
            settings=settings,
            reference=self.reference_sha256,
            state=self.state,
            fault=short_text(self.solution_fault),
            solution=self.solution_sha256,
            problem=self.problem_sha256,
            judge=judge if self.judged else None,
        )


class Scored(NamedTuple):
    """The file to be written, and the score without its evidence for the summary."""

    data: bytes
    record: ProblemScore


class Tools(NamedTuple):
    """What every problem of a run is scored with."""

    settings: Settings
    told: dict[str, Any]
    metric: Metric
    judge: Judge | None


def build_worker(settings: Settings, judge: str | JudgeAddress | None) -> Callable[[Job], Scored]:
    """The work of one process: its judge is loaded and its metric bound once."""
    door = open_judge(judge or None)
    return functools.partial(_do, Tools(settings, settings.as_dict(), settings.metric(door), door))


def _do(tools: Tools, job: Job) -> Scored:
    solution = read_entry(read_json_file(job.solution), solution_fault) if job.solution else None
    record = score_problem(job, solution, tools)
    return Scored(encode_record(record), light(record))


def score_problem(job: Job, solution: Entry | None, tools: Tools) -> ProblemScore:
    """The score of one problem; pure, given what was read of the solution."""
    if job.reference is None:
        return _without_reference(job, solution, tools)
    bad = solution is None or bool(solution.fault)
    if solution is not None and bad and tools.settings.malformed == "skip":
        return _record(job, solution, tools, skipped=True, reason=f"skipped: {solution.fault}")
    found = read_reference_solution(job.reference)
    given = NOTHING if solution is None or bad else solution.value
    score = score_solution(
        given,
        found,
        judge=tools.judge,
        fuzzy=tools.metric,
        explanation_weight=tools.settings.weight,
    )
    why = _why(solution) if bad else ""
    return _record(
        job,
        solution,
        tools,
        value=score.value,
        answer=score.detail["answer"],
        explanation=score.detail["explanation"],
        explanation_weight=score.detail["explanation_weight"],
        reason=f"{why}; {score.reason}" if why and score.value is None else why or score.reason,
        questions=questions_of(score, found, given, why),
        criteria=criteria_of(score, found, why),
        compat=compat_score(
            score, job.reference, None if solution is None or bad else given, tools.settings
        ),
        answer_format_errors=_misfits(job, solution),
        reference_faults=_faults(job, found, tools.settings),
    )


def light(record: ProblemScore) -> ProblemScore:
    """The score without what only a reader of its own file needs."""
    bare = [
        msgspec.structs.replace(q, entry=None, reference="", evidence={}) for q in record.questions
    ]
    return msgspec.structs.replace(record, questions=tuple(bare), criteria=())


def _record(job: Job, solution: Entry | None, tools: Tools, **found: Any) -> ProblemScore:
    read = job
    if solution is not None:  # the file may have changed since the plan was made
        read = msgspec.structs.replace(
            job, solution_sha256=solution.sha256, solution_fault=solution.fault
        )
    judge = tools.judge.name if tools.judge else None
    empty: dict[str, Any] = {
        "value": None,
        "answer": None,
        "explanation": None,
        "explanation_weight": 0.0,
    }
    return ProblemScore(
        id=job.id,
        state=read.state,
        warnings=twice_told(solution),
        signature=read.signature(tools.told, judge),
        files={
            "reference": short_text(job.reference_file),
            "solution": short_text(solution.name) if solution else None,
        },
        **{**empty, **found, "reason": short_text(found["reason"])},
    )


def _without_reference(job: Job, solution: Entry | None, tools: Tools) -> ProblemScore:
    fault = ReferenceFault(
        file=short_text(job.reference_file), question="", reason=short_text(job.reference_fault)
    )
    said = f"the reference cannot be read: {job.reference_fault}"
    return _record(job, solution, tools, reason=said, reference_faults=(fault,))


def _why(solution: Entry | None) -> str:
    return (
        "there is no solution"
        if solution is None
        else f"the solution is malformed: {solution.fault}"
    )


def twice_told(entry: Entry | None) -> tuple[str, ...]:
    """Keys that a file gives twice: JSON allows it, and the last one counts."""
    told = (
        []
        if entry is None
        else [f"the key {quoted(key)} is given twice; the last one counts" for key in entry.twice]
    )
    return tuple(map(short_text, told))


def _faults(job: Job, found: ReferenceSolution, settings: Settings) -> tuple[ReferenceFault, ...]:
    """What is wrong with the reference; what is wrong with an explanation that nobody reads is not told."""
    return tuple(
        ReferenceFault(
            file=short_text(job.reference_file),
            reason=short_text(problem.message),
            question=short_text(problem.path.removeprefix("answer.")),
        )
        for problem in found.problems
        if settings.weight or not problem.path.startswith("explanation")
    )


def _misfits(job: Job, solution: Entry | None) -> tuple[str, ...]:
    """What in the solution does not fit the problem's answer format: told, and not scored."""
    if solution is None or solution.fault or job.answer_format is None:
        return ()
    return tuple(map(short_text, format_errors(solution.value["answer"], job.answer_format)))
