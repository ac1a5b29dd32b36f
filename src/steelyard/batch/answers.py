"""Rows of answers: what each one earns, and what kind of failure it is."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET

from steelyard.batch.fields import PLACES, text_of
from steelyard.batch.rows import TargetError, Unreadable
from steelyard.batch.tally import Tally, as_text
from steelyard.errors import DataError
from steelyard.metrics import classify_failure
from steelyard.score import Score, unscored, zero
from steelyard.scoring.cascade import ask_judge, judged_metadata, settle_verdict
from steelyard.scoring.types import ScorerInput

if TYPE_CHECKING:  # most files are scored without a judge
    from steelyard.batch.answer_judge import JudgeAddress

_text = msgspec.json.Decoder(str)


class Way(NamedTuple):
    """How rows are scored: what the scorer compares with, what the fields are called, and whether the scorer is ours.

    ``reads_answers`` is true for the scorers that read an answer: with a response, they give no value
    only where the target cannot be read.
    """

    need: str
    fields: Mapping[str, str]
    stock: bool
    reads_answers: bool = False


def score_answer(fn: Callable[[ScorerInput], Score], way: Way, row: Any) -> Score:
    """The Score of one row: an error of the model is not the attempt's fault, a missing answer is."""
    if type(row) is Unreadable:
        raise DataError(row.message)
    if row.error and (told := error_of(row)):
        return unscored(told)
    response = row.response
    if type(response) is not str:
        return _without_text(fn, way, row)
    target = row.target
    if type(target) is not str:
        target = _target(target, row, way.need, way.fields)
    score = fn(ScorerInput(response, target, row.metadata or {}))
    if score.value is None and way.reads_answers:
        raise TargetError(score)
    return score


class JudgedRows:
    """Score rows, and ask a judge about the answers that the scorer leaves to it.

    Rows are scored in several threads, so that several answers are judged at the same time; a user's
    scorer is called in one thread at a time.
    """

    def __init__(
        self, score: Callable[[Any], Score], address: JudgeAddress, cascade: Sequence[str], way: Way
    ) -> None:
        from steelyard.batch.answer_judge import AnswerJudge

        self._score, self._judge, self._cascade, self._way = (
            score,
            AnswerJudge(address),
            cascade,
            way,
        )
        self._one_at_a_time = contextlib.nullcontext() if way.stock else threading.Lock()

    def stop(self) -> None:
        """Give up what the judge was asked."""
        self._judge.stop()

    def __call__(self, row: Any) -> Score:
        """Return the Score of a row; it is pending where the judge cannot be asked."""
        with self._one_at_a_time:
            score = ask_judge(self._score(row), self._cascade)
        if not score.pending:
            return score
        target = row.target
        if type(target) is not str:
            target = "" if target is UNSET else _target(target, row, "nothing", self._way.fields)
        question = row.question if isinstance(row.question, str) else ""
        metadata = judged_metadata(score, row.metadata or {})
        judged = self._judge.score(row.response or "", target, metadata, question)
        return settle_verdict(score, judged)


def _without_text(fn: Callable[[ScorerInput], Score], way: Way, row: Any) -> Score:
    """Nothing earned where nothing came, or no number, unless the target cannot be read, which is nobody's wrong answer."""
    if row.response is UNSET:
        raise DataError(missing("response", way.fields))
    target = (
        row.target if type(row.target) is str else _target(row.target, row, way.need, way.fields)
    )
    if (
        way.stock
        and way.need in {"target", "answers"}
        and (score := fn(ScorerInput("", target, row.metadata or {}))).value is None
    ):
        if way.reads_answers:
            raise TargetError(score)
        return score
    return zero(
        "there is no response"
        if row.response is None
        else f"{row.response} is no number, and equals nothing",
        detail={"reading": "missing"} if way.reads_answers else None,
    )


def _target(raw: Any, row: Any, need: str, fields: Mapping[str, str]) -> str:
    if raw is not UNSET:
        try:
            return _text.decode(raw)
        except msgspec.ValidationError:
            text = bytes(raw).decode()
            if text != "null":
                return _scalar(text)
    answers = need == "answers" and (row.metadata or {}).get("correct_answers")
    if need != "nothing" and not answers:
        raise DataError(missing("target", fields, null=raw is not UNSET))
    return ""


def _scalar(written: str) -> str:
    try:
        return text_of(written)
    except DataError as wrong:
        raise DataError(f"target: {wrong}") from None


def missing(field: str, fields: Mapping[str, str], *, null: bool = False) -> str:
    """What is wrong with a row that lacks the field, or has nothing there."""
    name = fields.get(field, field)
    if null:
        return f"the field {name!r} is null"
    return f"no field {name!r}; a field of another name is given with --field {field}=NAME"


def error_of(row: Any) -> str | None:
    """The error that a row carries, as a reason; one that is blank says nothing, and is none."""
    if not row.error:
        return None
    told = row.error if isinstance(row.error, str) else as_text(row.error)
    return told if told.strip() else None


def note_answers(tally: Tally, rows: list[Any], scores: list[Score], lines: list[int]) -> None:
    """Count the failures, each under its category."""
    tally.failures.n_samples += tally.all.correct
    for row, score, line in zip(rows, scores, lines, strict=True):
        if not score.correct:
            _note_failure(tally, row, score, line)


def _note_failure(tally: Tally, row: Any, score: Score, line: int) -> None:
    place, error = row.id if type(row.id) in PLACES else line, error_of(row)
    if score.value is not None and error is None:
        tally.failures.count(
            classify_failure(row.response, extracted=score.extracted), row.response, place
        )
        return
    response = None if type(row) is Unreadable else row.response
    tally.failures.add_score(
        score, None if response is UNSET else response, error=error, problem_idx=place
    )
