"""Programs that are scored by the tests they pass."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from steelyard.errors import SpecError
from steelyard.grading.record import CaseResult, weighted
from steelyard.grading.verdict import gravest
from steelyard.registry import SCORERS
from steelyard.score import Part, Score, unscored, zero
from steelyard.scoring.desk import Desk
from steelyard.scoring.program import read_program
from steelyard.scoring.suite import Suite, read_suite
from steelyard.scoring.suite_run import SuiteRun
from steelyard.scoring.types import ScorerInput


@SCORERS.register("tests", reads="program", needs="task")
def tests(  # a scorer, not a test
    sample: ScorerInput,
    *,
    task: Any = None,  # noqa: PT028
    group: Any = None,  # noqa: PT028
    solution: Any = None,  # noqa: PT028
) -> Score:
    """The weighted share of tests that the program in the response passes, run in a sandbox.

    ``task`` is a task as `steelyard code grade` reads it, or test code (``"kind": "legacy"``); without it the target
    is one. With ``group``, only the cases of that group count. ``solution`` is a program that has to pass everything,
    which `steelyard lint` checks.

    >>> task = {"kind": "function", "entry_point": "double", "cases": [[[2], 4], [["a"], "aa"]]}
    >>> tests(ScorerInput(response="def double(x): return 2 * x"), task=task).points
    1000.0
    """
    want = task if task is not None else _target(sample.target)
    if not sample.response.strip():
        _read(want, task, group, solution)
        return zero("there is no program")
    from steelyard.sandbox.opening import default_sandbox

    return score_tests(
        sample.response,
        want,
        task=task,
        group=group,
        solution=solution,
        desk=Desk(default_sandbox()),
    )


def score_tests(
    got: Any, want: Any, *, desk: Desk, task: Any = None, group: Any = None, solution: Any = None
) -> Score:
    """What a program earns in a suite, which is ``task`` or else the ground truth; no program makes it raise."""
    suite = _read(want, task, group, solution)
    if suite is None:
        raise SpecError(
            "there is no task: neither the parameter 'task' nor the ground truth is one"
        )
    places = suite.places(group)
    program = read_program(got, suite.language)
    if isinstance(program, str):
        return zero(program)
    return _score(suite, places, desk.tested(suite, program))


def _target(target: str) -> Any:
    """The task in a row's target; nothing where there is no target yet."""
    if not target.strip():
        return None
    try:
        return json.loads(target)
    except ValueError:
        raise SpecError(
            "the target is no task: it is not JSON, and no parameter 'task' is given"
        ) from None


def _read(want: Any, task: Any, group: Any, solution: Any) -> Suite | None:
    """The suite; what is wrong with a parameter has the parameter as its path."""
    if group is not None and not (isinstance(group, str) and group):
        raise SpecError("must be the name of a group of cases", path="group")
    if solution is not None and isinstance(wrong := read_program(solution, "python"), str):
        raise SpecError(wrong, path="solution")
    if task is None:
        return None if want is None else read_suite(want)
    try:
        suite = read_suite(task)
    except SpecError as wrong:
        below = [
            problem._replace(path=f"task.{problem.path}".rstrip(".")) for problem in wrong.problems
        ]
        raise SpecError(problems=below) from None
    suite.places(group)
    return suite


def _score(suite: Suite, places: Sequence[int], run: SuiteRun) -> Score:
    if run.broken:
        return unscored(run.broken, detail={"verdict": "sandbox_error", "sandbox": run.sandbox})
    if run.refused:
        return zero(run.refused, detail={"verdict": "no_result", "sandbox": run.sandbox})
    chosen = tuple(run.tests[place] for place in places)
    value = weighted(chosen)
    verdict = gravest(test.verdict for test in chosen)
    parts = tuple(
        Part(
            name=test.name,
            weight=test.weight,
            score=_part(test, run.ways[place] if run.ways else {}),
        )
        for place, test in zip(places, chosen, strict=True)
    )
    detail = {
        "verdict": verdict,
        "stdout": run.stdout,
        "stderr": run.stderr,
        "sandbox": run.sandbox,
    }
    return Score(
        value=value,
        correct=verdict == "accepted",
        reason=_reason(chosen),
        parts=parts,
        detail=detail,
    )


def _part(test: CaseResult, way: dict[str, str]) -> Score:
    return Score(
        value=test.value,
        correct=test.verdict == "accepted",
        reason=test.reason,
        detail={"verdict": test.verdict, **way},
    )


def _reason(tests: Sequence[CaseResult]) -> str:
    passed = sum(test.verdict == "accepted" for test in tests)
    told = f"{passed} of {len(tests)} tests passed"
    first = next((test for test in tests if test.verdict != "accepted"), None)
    if first is None:
        return told
    why = f": {first.reason}" if first.reason else ""
    return f"{told}; {first.name}: {first.verdict.replace('_', ' ')}{why}"
