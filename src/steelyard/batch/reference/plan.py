"""What a run will do, settled before the first problem is scored: one job a reference that is asked for."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from steelyard.batch.reference.answer_format import check_format
from steelyard.batch.reference.asked import JudgeAddress, open_judge
from steelyard.batch.reference.evidence import short_text
from steelyard.batch.reference.folder import (
    REFERENCE,
    SCORES,
    SUMMARY,
    Entry,
    json_files,
    read_problems,
    read_references,
    read_solutions,
    refuse_twins,
)
from steelyard.batch.reference.ids import named_after, natural
from steelyard.batch.reference.record import ScoreSignature
from steelyard.batch.reference.settings import Selection, Settings, refuse_without_judge
from steelyard.batch.reference.work import Job, twice_told
from steelyard.errors import SpecError


class FolderPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs in order, what all of them share, and what is worth a warning."""

    jobs: tuple[Job, ...]
    settings: dict[str, Any]
    judge: str | None
    warnings: tuple[str, ...]

    def signature(self, job: Job) -> ScoreSignature:
        """What shapes the score of a job."""
        return job.signature(self.settings, self.judge)


def make_plan(
    references: str,
    solutions: str,
    *,
    output: str,
    problems: str | None = None,
    judge: str | JudgeAddress | None = None,
    settings: Settings,
    select: Selection,
) -> FolderPlan:
    """Read the folders and bind everything; what is wrong with them as a whole is an error here."""
    settings.check()
    known = [_with_id(entry) for entry in read_references(references)]
    select.refuse_unknown(entry.id for entry in known)
    wanted = sorted((e for e in known if select.takes(e.id)), key=lambda entry: natural(entry.id))
    ids = {entry.id for entry in wanted}
    refuse_twins(wanted, "reference")
    asked = [_with_format(entry) for entry in read_problems(problems)] if problems else []
    refuse_twins(asked, "problem", wanted=ids)
    door = open_judge(judge or None)
    if door is None:
        refuse_without_judge(settings, wanted)
    others = [entry.path for entry in (*known, *asked)]
    given = read_solutions(solutions, besides=[*others, *_outputs(solutions, output)])
    refuse_twins(given, "solution", wanted=ids)
    by_id, strays = _attach(given, {entry.id for entry in known})
    forms = {entry.id: entry for entry in asked}
    jobs = tuple(
        _job(entry, by_id.get(entry.id), forms.get(entry.id), settings) for entry in wanted
    )
    nothing = [] if given else [f"{solutions}: there are no solutions"]
    warnings = [*nothing, *_odd([*wanted, *asked, *given]), *strays]
    return FolderPlan(
        jobs=jobs,
        settings=settings.as_dict(),
        judge=door.name if door else None,
        warnings=tuple(map(short_text, [*warnings, *_faulty(asked)])),
    )


def _with_id(entry: Entry) -> Entry:
    """A reference that has no readable id is counted under the name of its file."""
    return (
        entry
        if entry.id
        else msgspec.structs.replace(entry, id=short_text(entry.name.removesuffix(REFERENCE)))
    )


def _with_format(problem: Entry) -> Entry:
    """A problem whose format cannot be used is the author's fault, and no submission is held against it."""
    try:
        if not problem.fault and problem.value.get("answer_format") is not None:
            check_format(problem.value["answer_format"])
    except SpecError as wrong:
        return msgspec.structs.replace(problem, fault=str(wrong))
    return problem


def _outputs(solutions: str, output: str) -> list[str]:
    """Our own files, where the scores go to the folder that the solutions come from."""
    with contextlib.suppress(OSError):
        if os.path.samefile(solutions, output):
            return [
                path
                for path in json_files(output)
                if path.endswith(SCORES) or os.path.basename(path) == SUMMARY
            ]
    return []


def _attach(given: Sequence[Entry], known: Iterable[str]) -> tuple[dict[str, Entry], list[str]]:
    """The solution of each id, and a warning for each file that is nobody's.

    A file whose id cannot be read stands, by its name, for a malformed solution of that problem.
    """
    there = set(known)
    by_id = {entry.id: entry for entry in reversed(given) if entry.id in there}
    strays = []
    for entry in given:
        if entry.id in there:
            continue
        named = None if entry.id else named_after(os.path.splitext(entry.name)[0], there)
        if named is not None and named not in by_id:
            by_id[named] = entry
        elif entry.id:
            strays.append(f"{entry.path}: there is no reference with the id {entry.id[:100]!r}")
        else:
            strays.append(f"{entry.path}: not used: {entry.fault}")
    return by_id, strays


def _job(
    reference: Entry, solution: Entry | None, problem: Entry | None, settings: Settings
) -> Job:
    usable = None if problem is None or problem.fault else problem.value.get("answer_format")
    judged = not reference.fault and any(settings.needs_judge(reference.value))
    return Job(
        id=reference.id,
        reference=reference.value if not reference.fault else None,
        reference_file=reference.name,
        reference_sha256=reference.sha256 or "",
        reference_fault=reference.fault,
        judged=judged,
        answer_format=usable,
        problem_sha256=problem.sha256 if problem and usable is not None else None,
        solution=solution.path if solution else None,
        solution_sha256=solution.sha256 if solution else None,
        solution_fault=solution.fault if solution else "",
        size=_size(solution),
    )


def _size(solution: Entry | None) -> int:
    try:
        return os.path.getsize(solution.path) if solution else 0
    except OSError:
        return 0


def _odd(entries: Iterable[Entry]) -> list[str]:
    told = [(entry, said) for entry in entries for said in (entry.odd, *twice_told(entry)) if said]
    return [f"{entry.path}: {said}" for entry, said in told]


def _faulty(problems: Iterable[Entry]) -> list[str]:
    return [
        f"{entry.path}: {entry.fault}; its answers are not checked"
        for entry in problems
        if entry.fault
    ]
