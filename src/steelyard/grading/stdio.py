"""Program tasks: one run a case, with its input and files; what came out is compared out here."""

from __future__ import annotations

from collections.abc import Mapping

from steelyard.grading.build import Built, build
from steelyard.grading.checker import check
from steelyard.grading.compare import COMPARISONS
from steelyard.grading.files import does_not_fit
from steelyard.grading.function import Ran
from steelyard.grading.language import Language, languages
from steelyard.grading.record import CaseResult, one_line
from steelyard.grading.task import Case, Task
from steelyard.grading.verdict import Verdict, of_program
from steelyard.grading.words import how_it_ended
from steelyard.sandbox.job import Job, Outcome
from steelyard.sandbox.protocol import Sandbox, run

_LAST = 2_000  # bytes of standard error in which its last line is looked for


def run_stdio(task: Task, program: bytes, sandbox: Sandbox) -> Ran:
    """The verdict of each case; a SandboxError where a box or the author's checker failed us."""
    built = build(task.language, program, sandbox)
    if built.refused is not None:
        tests = tuple(_tested(case, built.verdict, built.refused) for case in task.cases)
        return Ran(tests, stderr=built.stderr, wall_s=built.wall_s)
    return _Runs(task, built, sandbox).all()


class _Runs:
    """The runs of one program, and which of them is shown."""

    def __init__(self, task: Task, built: Built, sandbox: Sandbox) -> None:
        self._task, self._built, self._sandbox = task, built, sandbox
        self._language: Language = languages()[task.language]
        self._wall, self._peak = built.wall_s, list[int]()

    def all(self) -> Ran:
        """Case by case; after one that ran out of time the others are not run."""
        tests: list[CaseResult] = []
        shown: Outcome | None = None
        for case in self._task.cases:
            if tests and tests[-1].verdict == "time_limit":
                why = tests[-1].reason.removeprefix("not run: ")
                tests.append(_tested(case, "time_limit", f"not run: {why}"))
                continue
            files = {
                **case.files,
                **self._built.files,
            }  # a file of the case must not take the program's place
            if too_large := does_not_fit(files, self._task.limits):
                tests.append(_tested(case, "disk_limit", too_large))
                continue
            outcome = self._run(case, files)
            tests.append(self._judged(case, outcome))
            if shown is None or (tests[-1].verdict != "accepted" and _all_accepted(tests[:-1])):
                shown = outcome
        stdout, stderr = (shown.stdout, shown.stderr) if shown is not None else (b"", b"")
        return Ran(tuple(tests), stdout, stderr, self._wall, max(self._peak, default=None))

    def _run(self, case: Case, files: Mapping[str, bytes]) -> Outcome:
        job = Job(
            argv=self._language.run, files=files, stdin=case.stdin, collect=tuple(case.expect_files)
        )
        outcome = run(self._sandbox, job, self._task.limits)
        self._wall += outcome.wall_s
        if outcome.peak_memory is not None:
            self._peak.append(outcome.peak_memory)
        return outcome

    def _judged(self, case: Case, outcome: Outcome) -> CaseResult:
        failed = of_program(outcome)
        if failed is not None:
            return _tested(case, failed, _why(failed, outcome), outcome)
        if self._task.comparison == "custom":
            found = check(self._task, case, outcome, self._sandbox)
            if found.value < 1:
                told = found.why or "the checker does not accept the output"
                return _tested(case, "wrong_answer", told, outcome, found.value)
            return _tested(case, "accepted", "", outcome)
        why = self._compared(case, outcome)
        return _tested(case, "accepted" if why is None else "wrong_answer", why or "", outcome)

    def _compared(self, case: Case, outcome: Outcome) -> str | None:
        same, tolerance = COMPARISONS[self._task.comparison], self._task.tolerance
        if (
            case.stdout is not None
            and (why := same(outcome.stdout, case.stdout, tolerance)) is not None
        ):
            return why
        for name, want in case.expect_files.items():
            got = outcome.files.get(name)
            if got is None:
                return f"the file {name} was not written"
            if (why := same(got, want, tolerance)) is not None:
                return f"in the file {name}, {why}"
        return None


def _why(verdict: Verdict, outcome: Outcome) -> str:
    """How it ended, with the program's own last line where it failed by itself."""
    last = outcome.stderr[-_LAST:].decode("utf-8", "replace").strip().rpartition("\n")[2]
    how = how_it_ended(outcome)
    return f"{how}: {one_line(last)}" if last and verdict == "runtime_error" else how


def _all_accepted(tests: list[CaseResult]) -> bool:
    return all(test.verdict == "accepted" for test in tests)


def _tested(
    case: Case,
    verdict: Verdict,
    reason: str,
    outcome: Outcome | None = None,
    value: float | None = None,
) -> CaseResult:
    earned = float(verdict == "accepted") if value is None else value
    return CaseResult(
        name=case.name,
        verdict=verdict,
        value=earned,
        weight=case.weight,
        reason=reason,
        wall_s=outcome.wall_s if outcome else None,
    )
