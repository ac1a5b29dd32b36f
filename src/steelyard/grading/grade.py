"""A program against a task: run in a sandbox, judged out here, and told as one record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from steelyard.engine.threads import in_threads
from steelyard.errors import SandboxError
from steelyard.grading.build import check_language
from steelyard.grading.files import does_not_fit
from steelyard.grading.function import Ran, run_function
from steelyard.grading.record import CaseResult, Graded, excerpt, weighted
from steelyard.grading.stdio import run_stdio
from steelyard.grading.task import Task
from steelyard.grading.verdict import Verdict, gravest
from steelyard.sandbox.protocol import Sandbox

__all__ = ["check_language", "grade", "grade_many"]

Key = TypeVar("Key")


def grade(task: Task, program: bytes | str, *, sandbox: Sandbox) -> Graded:
    """What the program is worth; a failure of the sandbox leaves it without a value, and never counts against it."""
    source = program.encode("utf-8", "surrogatepass") if isinstance(program, str) else program
    try:
        return _told(task, _run(task, source, sandbox), sandbox)
    except SandboxError as failed:
        return _unscored(task, str(failed), sandbox)


def grade_many(
    work: Iterable[tuple[Key, Task, bytes | str]], *, sandbox: Sandbox, workers: int
) -> Iterator[tuple[Key, Graded]]:
    """The record of each program beside its key, in the order of the work; a few are under way at a time."""

    def work_on(item: tuple[Key, Task, bytes | str]) -> Graded:
        return grade(item[1], item[2], sandbox=sandbox)

    # Who leaves early is not waited for: programs whose verdicts are not wanted any more end with the sandbox.
    for (key, _, _), graded in in_threads(work_on, work, workers, "steelyard-grade"):
        yield key, graded


def _run(task: Task, source: bytes, sandbox: Sandbox) -> Ran:
    if task.kind == "stdio":
        return run_stdio(task, source, sandbox)
    if too_large := does_not_fit({"program": source}, task.limits):
        return _none_run(task, "disk_limit", too_large)
    try:
        text = source.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as wrong:
        why = f"the program is not UTF-8: byte {wrong.start + 1} cannot be read"
        return _none_run(task, "runtime_error", why)
    return run_function(task, text, sandbox)


def _none_run(task: Task, verdict: Verdict, why: str) -> Ran:
    return Ran(
        tuple(
            CaseResult(name=case.name, verdict=verdict, value=0.0, weight=case.weight, reason=why)
            for case in task.cases
        )
    )


def _told(task: Task, ran: Ran, sandbox: Sandbox) -> Graded:
    verdict = gravest(test.verdict for test in ran.tests)
    return Graded(
        passed=verdict == "accepted",
        verdict=verdict,
        value=weighted(ran.tests),
        reason=_reason(ran.tests, verdict),
        tests=ran.tests,
        stdout=excerpt(ran.stdout),
        stderr=excerpt(ran.stderr),
        wall_s=round(ran.wall_s, 4),
        peak_memory=ran.peak_memory,
        sandbox=sandbox.describe(),
    )


def _reason(tests: tuple[CaseResult, ...], verdict: str) -> str:
    """What decided: the first test that has the verdict, or how many were accepted."""
    if verdict == "accepted":
        return f"{'all ' if len(tests) > 1 else ''}{len(tests)} test{'s' if len(tests) > 1 else ''} accepted"
    first = next(test for test in tests if test.verdict == verdict)
    return f"{first.name}: {first.reason}"


def _unscored(task: Task, why: str, sandbox: Sandbox) -> Graded:
    tests = tuple(
        CaseResult(
            name=case.name, verdict="sandbox_error", value=None, weight=case.weight, reason=why
        )
        for case in task.cases
    )
    return Graded(
        passed=None,
        verdict="sandbox_error",
        value=None,
        reason=why,
        tests=tests,
        stdout="",
        stderr="",
        wall_s=0.0,
        peak_memory=None,
        sandbox=sandbox.describe(),
    )
