"""A spec over many rows: each has its submission, and its own truth or the one that all share."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from steelyard.batch.answers import error_of, missing
from steelyard.batch.fields import PLACES
from steelyard.batch.plan import check_fields, renamed
from steelyard.batch.rows import SUBMISSION_FIELDS, Rows, Unreadable
from steelyard.batch.score_block import BlockScorer
from steelyard.batch.tally import Tally
from steelyard.errors import DataError, SandboxError, SpecError
from steelyard.sandbox.opening import open_sandbox, shared_sandbox
from steelyard.sandbox.protocol import Sandbox
from steelyard.score import Score, unscored, zero
from steelyard.scoring.cascade import JUDGE_MISSING
from steelyard.spec import Spec, evaluate, load_spec, spec_signature
from steelyard.spec.evaluator import Inputs, Judge, score_dimensions
from steelyard.spec.files import is_file
from steelyard.spec.problems import truth_in
from steelyard.spec.reading import exact_decimal, read_file
from steelyard.spec.running import runs_programs

if TYPE_CHECKING:  # most files are scored without a judge
    from steelyard.batch.answer_judge import AnswerJudge, JudgeAddress

_encoder = msgspec.json.Encoder(order="deterministic", enc_hook=str, decimal_format="number")
_decoder = msgspec.json.Decoder(float_hook=exact_decimal)


class SpecPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Score submissions by a spec; ``truth``, ``time_used`` and ``verified`` are for rows that have none.

    ``sandbox`` is the name and the options of the one that programs run in: each process opens its own.
    """

    spec: str
    content: bytes
    fields: dict[str, str] = {}
    by: str | None = None
    truth: Any = UNSET
    truth_file: str = ""
    time_used: int | float | None = None
    verified: bool = False
    sandbox: tuple[str, dict[str, Any]] = ("bubblewrap", {})
    strict: bool = False
    with_file: bool = False
    named: tuple[str, ...] = ()
    judge: JudgeAddress | None = None

    @classmethod
    def load(cls, path: Path, *, fields: dict[str, str] | None = None, **shared: Any) -> SpecPlan:
        """The plan for a spec in a file, once the spec has been found good."""
        check_fields(fields or {}, SUBMISSION_FIELDS)
        content = load_spec(path).source
        # A pipe can be read only once, and has no files beside it.
        named = tuple(sorted(set(_named(path, read_file(path))))) if path.is_file() else ()
        return cls(spec=str(path), content=content, fields=fields or {}, named=named, **shared)

    def loaded(self) -> Spec:
        """The spec itself."""
        return load_spec(_decoder.decode(self.content))

    @property
    def identity(self) -> dict[str, Any]:
        """The spec's name and hash, and what the rows share."""
        spec = self.loaded()
        signed = spec_signature(spec)
        shared: dict[str, Any] = {} if self.time_used is None else {"time_used": self.time_used}
        if self.verified:
            shared["verified"] = True
        if self.truth is not UNSET:
            shared["truth"] = hashlib.sha256(_encoder.encode(self.truth)).hexdigest()
        judge = {"judge": self.judge.identity} if self.judge is not None else {}
        return {
            "kind": "spec",
            "name": spec.name or Path(self.spec).name,
            "version": hashlib.sha256(signed.encode()).hexdigest()[:12],
            "signature": signed,
            "params": shared,
            "fields": renamed(self.fields),
            **judge,
        }

    @property
    def needs(self) -> tuple[str, ...]:
        """A submission, and a truth unless one is shared."""
        return ("submission", "truth") if self.truth is UNSET else ("submission",)

    @property
    def files(self) -> tuple[str, ...]:
        """The file of the spec, and those that it names."""
        return (self.spec, *self.named)

    @property
    def apart(self) -> bool:
        """All that a spec may name is installed, and so is trusted to share the process."""
        return False

    @property
    def slow(self) -> bool:
        """Programs take their time."""
        return runs_programs(self.loaded())

    @property
    def at_once(self) -> int:
        """One submission after the other, unless a judge is waited for."""
        if self.judge is None:
            return 1
        from steelyard.batch.answer_judge import CONCURRENCY

        return CONCURRENCY

    def check(self) -> None:
        """The spec and the fields were checked when the plan was made; a sandbox and the shared truth are, before any row."""
        spec = self.loaded()
        check_judge(spec, self.judge)
        if self.truth is not UNSET:
            self._check_truth(spec)
        if runs_programs(spec):
            name, options = self.sandbox
            try:
                open_sandbox(name, **options).close()
            except SandboxError as missing:
                raise DataError(str(missing)) from None

    def _check_truth(self, spec: Spec) -> None:
        """Compare the truth with nothing: what is wrong with it is then told as an error of its file."""
        asked = tuple(
            msgspec.structs.replace(d, run=_nothing)
            if d.sandboxed or d.reads in {"time", "trajectory"}
            else d
            for d in spec.dimensions
        )
        inputs = Inputs(
            submission={},
            truth=self.truth,
            time_used=None,
            trajectory=None,
            verified=False,
            limits={},
        )
        with truth_in(self.truth_file):
            score_dimensions(msgspec.structs.replace(spec, dimensions=asked), inputs)

    def with_options(self, *, strict: bool, with_file: bool) -> SpecPlan:
        """The same plan for this way of running it."""
        return msgspec.structs.replace(self, strict=strict, with_file=with_file)

    def _door(self, spec: Spec) -> Sandbox | None:
        """The sandbox of this process, which closes it at its end."""
        if not runs_programs(spec):
            return None
        name, options = self.sandbox
        return shared_sandbox(name, **options)

    def build(self) -> BlockScorer:
        """The evaluation of rows by the spec."""
        rows = Rows(SUBMISSION_FIELDS, self.fields, group=self.by, exact=True)
        spec = self.loaded()
        judge = None
        if self.judge is not None:
            from steelyard.batch.answer_judge import AnswerJudge

            judge = AnswerJudge(self.judge)
        ask = dimension_judge(judge) if judge else None
        score = functools.partial(_score_submission, self, spec, self._door(spec), ask)
        return BlockScorer(
            rows,
            score,
            _note_results,
            by=self.by,
            strict=self.strict,
            with_file=self.with_file,
            threads=self.at_once,
            stop=judge.stop if judge else None,
        )


def check_judge(spec: Spec, judge: JudgeAddress | None) -> None:
    """Refuse a spec that leaves unclear answers to no judge, and a judge that no answer is left to."""
    if judge is None:
        if spec.unclear == "judge":
            raise DataError(f"the spec {JUDGE_MISSING}")
    elif spec.type != "judged":
        raise DataError(f"--judge-url: a spec of type {spec.type!r} asks no judge")
    else:
        judge.check()


def dimension_judge(judge: AnswerJudge) -> Judge:
    """Return a function that asks a judge about a dimension's answer."""
    return lambda sample, question: judge.score(
        sample.response, sample.target, sample.metadata, question
    )


def _nothing(*_: object) -> Score:
    return zero("not looked at")


def _named(path: Path, value: object) -> Iterator[str]:
    """The files that a good spec names, and those that they name in turn, each beside the file that names it."""
    if isinstance(value, Mapping) and is_file(value):
        named = path.parent / str(value["file"])
        yield str(named)
        if not named.is_file():
            return
        with contextlib.suppress(SpecError):  # a program, not JSON
            yield from _named(named, read_file(named))
    elif isinstance(value, (Mapping, list)):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _named(path, inner)


def _score_submission(
    plan: SpecPlan, spec: Spec, door: Sandbox | None, judge: Judge | None, row: Any
) -> Score:
    if type(row) is Unreadable:
        raise DataError(row.message)
    if told := error_of(row):
        return unscored(told)
    if row.submission is UNSET:
        raise DataError(missing("submission", plan.fields))
    truth = (
        plan.truth
        if row.truth is UNSET or (row.truth is None and plan.truth is not UNSET)
        else row.truth
    )
    if truth is UNSET:
        raise DataError(missing("truth", plan.fields))
    found = evaluate(
        spec,
        row.submission,
        truth,
        time_used=plan.time_used
        if row.time_used is UNSET or row.time_used is None
        else row.time_used,
        trajectory=None if row.trajectory is UNSET else row.trajectory,
        verified=row.verified if isinstance(row.verified, bool) else plan.verified,
        sandbox=door,
        judge=judge,
    )
    detail: dict[str, Any] = {"score": found.score, "result": found.result}
    if found.submission_warnings:
        detail["submission_warnings"] = found.submission_warnings
    if found.constraint_violations:
        detail["constraint_violations"] = found.constraint_violations
    if found.sandbox is not None:
        detail["sandbox"] = found.sandbox
    return msgspec.structs.replace(found.total, detail=detail)


def _note_results(tally: Tally, rows: list[Any], scores: list[Score], lines: list[int]) -> None:
    for row, score, line in zip(rows, scores, lines, strict=True):
        _note_result(tally, row, score, line)


def _note_result(tally: Tally, row: Any, score: Score, line: int) -> None:
    """Count the result; only an error that came instead of a submission is a failure with a category."""
    tally.results[str(score.detail.get("result") or "none")] += 1
    place = row.id if type(row.id) in PLACES else line
    if error := error_of(row):
        tally.failures.add(None, error=error, problem_idx=place)
    else:
        tally.failures.n_samples += 1
