"""A program against a suite of tests: run once, whatever the dimensions that read the result."""

from __future__ import annotations

from typing import Any

import msgspec

from steelyard.errors import SandboxError
from steelyard.grading.assemble import readings
from steelyard.grading.files import clashes
from steelyard.grading.grade import check_language, grade
from steelyard.grading.language import languages
from steelyard.grading.legacy import Examined, LegacyTest, examine
from steelyard.grading.record import CaseResult, Graded, excerpt
from steelyard.grading.task import Task
from steelyard.sandbox.protocol import Sandbox
from steelyard.scoring.program import Program, as_one_source
from steelyard.scoring.suite import Suite


class SuiteRun(msgspec.Struct, frozen=True, kw_only=True):
    """Each test with its verdict; ``broken`` says why there are none where the fault is ours.

    ``refused`` says why the program could not even be tried, by its own fault. ``ways`` is how test code was run.
    """

    tests: tuple[CaseResult, ...] = ()
    ways: tuple[dict[str, str], ...] = ()
    stdout: str = ""
    stderr: str = ""
    sandbox: dict[str, Any]
    broken: str = ""
    refused: str = ""


def run_suite(suite: Suite, program: Program, sandbox: Sandbox) -> SuiteRun:
    """What each test came to; never an exception, whatever the program and the sandbox do."""
    refused = _refused(suite, program)
    if refused:
        return SuiteRun(sandbox=sandbox.describe(), refused=refused)
    try:
        check_language(suite.language, sandbox)
        if suite.task is None:
            return _examined(suite, program, sandbox)
        return _graded(grade(*_together(suite.task, program), sandbox=sandbox))
    except SandboxError as failed:
        return SuiteRun(sandbox=sandbox.describe(), broken=str(failed))


def _refused(suite: Suite, program: Program) -> str:
    """Why a program cannot be put into a box at all: that must not look like a failure of the box."""
    how = languages()[suite.language]
    if program.others and how.compile:
        return f"a program in {suite.language} has to be one file"
    given = {name for case in suite.task.cases for name in case.files} if suite.task else set()
    given.add(how.file)
    own = [name for name, _ in program.others]
    for name in own:
        if clashes(name, given) or any(clashes(other, [name]) for other in given):
            return f"the file {name!r} stands where a test has its own"
    return ""


def _together(task: Task, program: Program) -> tuple[Task, str]:
    """The task and the source with which several files become one program."""
    if not program.others:
        return task, program.source
    if task.kind == "function":
        return task, as_one_source(program)
    own = {name: text.encode() for name, text in program.others}
    # A file of the test goes before one that was handed in.
    cases = tuple(msgspec.structs.replace(case, files={**own, **case.files}) for case in task.cases)
    return msgspec.structs.replace(task, cases=cases), program.source


def _graded(found: Graded) -> SuiteRun:
    if found.value is None:
        return SuiteRun(sandbox=found.sandbox, broken=found.reason)
    return SuiteRun(
        tests=found.tests, stdout=found.stdout, stderr=found.stderr, sandbox=found.sandbox
    )


def _examined(suite: Suite, program: Program, sandbox: Sandbox) -> SuiteRun:
    sources = _sources(suite.legacy[0], program)
    found = [examine(test, sources, sandbox, suite.limits) for test in suite.legacy]
    tests = tuple(
        _tested(member.name, member.weight, one)
        for member, one in zip(suite.members, found, strict=True)
    )
    shown = next((one for one in found if one.verdict != "accepted"), found[0])
    ways = tuple({"way": one.way, **({"why": one.why} if one.why else {})} for one in found)
    return SuiteRun(
        tests=tests,
        ways=ways,
        stdout=excerpt(shown.stdout),
        stderr=excerpt(shown.stderr),
        sandbox=sandbox.describe(),
    )


def _sources(test: LegacyTest, program: Program) -> list[str]:
    """What the program may mean: a whole one, or what completes the code that the task began with."""
    if program.others:
        return [as_one_source(program)]
    found = [reading.source for reading in readings(program.source, test.prompt, test.entry_point)]
    return found or [program.source]


def _tested(name: str, weight: float, one: Examined) -> CaseResult:
    accepted = one.verdict == "accepted"
    return CaseResult(
        name=name,
        verdict=one.verdict,
        value=float(accepted),
        weight=weight,
        reason="" if accepted else one.reason,
    )
