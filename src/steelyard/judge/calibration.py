"""Compare a judge with labelled answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from steelyard.errors import DataError, JudgeError
from steelyard.judge.checklist import KEYS
from steelyard.judge.client import JudgeClient
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.pairwise import Preference, compare
from steelyard.judge.prompt import JudgeItem, JudgeTurn
from steelyard.judge.rating import judge_one
from steelyard.metrics import Interval
from steelyard.metrics.agreement import confusion, consistency, kappa, paired_share, rate
from steelyard.score import Score

T = TypeVar("T")
# The names that a column may have, the first one first.
_NAMES = {
    "instruction": ("instruction", "question", "prompt"),
    "expected": ("expected", "target", "reference"),
    "response": ("response", "answer"),
}
_VERDICTS = ("label", "score", "winner")


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """One answer with its label, or two answers with the better one.

    ``label`` says whether an answer is right; ``score`` says so on the judge's scale; ``winner``
    says which of ``first`` and ``second`` is better.
    """

    id: str
    instruction: str = ""
    expected: str = ""
    response: str = ""
    first: str = ""
    second: str = ""
    label: bool | None = None
    score: float | None = None
    winner: Literal["first", "second", "tie"] | None = None
    metadata: dict[str, Any] = {}

    @property
    def item(self) -> JudgeItem:
        """The answer as a judge gets it."""
        return JudgeItem(
            key=self.id,
            instruction=self.instruction,
            response=self.response,
            expected=self.expected,
            metadata=self.metadata,
        )

    def is_right(self, config: JudgeScoringConfig) -> bool:
        """Say whether the label calls the answer right; a score counts by the judge's threshold."""
        if self.label is not None:
            return self.label
        return config.passes((self.score or 0) / config.max_score)


def read_labels(path: str | Path, config: JudgeScoringConfig) -> list[Label]:
    """Read a JSON Lines file; a line that cannot be used is a DataError with its number."""
    try:
        lines = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=str(path)) from None
    found: dict[str, Label] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            label = _label(msgspec.json.decode(line, type=dict[str, Any]), number, config)
        except (ValueError, RecursionError) as wrong:
            raise DataError(f"not a label: {wrong}", file=str(path), line=number) from None
        if label.id in found:
            raise DataError(f"the id {label.id!r} is repeated", file=str(path), line=number)
        found[label.id] = label
    if not found:
        raise DataError("there are no labels", file=str(path))
    return list(found.values())


def _label(row: dict[str, Any], number: int, config: JudgeScoringConfig) -> Label:
    criteria = {key: row[key] for key in KEYS if key in row}
    known = {"metadata": criteria} | row | {"id": str(row.get("id", number))}
    for ours, names in _NAMES.items():
        known[ours] = next((row[name] for name in names if name in row), "")
    label = msgspec.convert(known, Label, strict=False)
    if sum(getattr(label, name) is not None for name in _VERDICTS) != 1:
        raise ValueError("one of label (true or false), score and winner is needed")
    if label.score is not None and not 1 <= label.score <= config.max_score:
        raise ValueError(f"score must be from 1 to {config.max_score}, not {label.score:g}")
    if label.winner is not None and not {"first", "second"} <= row.keys():
        raise ValueError("winner needs first and second, the two answers")
    if label.winner is None and not {"response", "answer"} & row.keys():
        raise ValueError("there is no response")
    return label


Rows = list[tuple[Label, list[Score]]]
Pairs = list[tuple[Label, list[Preference]]]


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on single answers; the first call about each counts."""

    labels: int
    judged: int
    confusion: dict[str, int]
    tpr: Interval | None
    tnr: Interval | None
    agreement: Interval | None
    kappa: Interval | None
    score_difference: float | None = None


class Comparisons(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on pairs, and the effect of their order.

    ``flipped`` is the share of pairs whose verdict changed with the order. ``first_shown`` is how
    often, of all verdicts that prefer one, it is the answer that was shown first: a half, for a
    judge without bias.
    """

    labels: int
    judged: int
    agreement: Interval | None
    kappa: Interval | None
    flipped: Interval | None
    first_shown: Interval | None


class Consistency(msgspec.Struct, frozen=True, kw_only=True):
    """The share of rows with one verdict in all repeats, and the mean agreement of two repeats."""

    repeats: int
    same: Interval | None
    agreement: float | None


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a judge; ``problems`` has the rows without a verdict, with the reason.

    ``stopped`` says why the judge could not be asked any more.
    """

    judge: dict[str, Any]
    config: str
    answers: Answers | None
    comparisons: Comparisons | None
    consistency: Consistency | None
    problems: dict[str, str]
    stopped: str = ""

    @property
    def exit_code(self) -> int:
        """0 if every row has a verdict, 1 if some have none, 3 if the judge cannot be asked."""
        return 3 if self.stopped else 1 if self.problems else 0


async def calibrate(
    labels: Sequence[Label],
    client: JudgeClient,
    config: JudgeScoringConfig,
    *,
    repeats: int = 1,
    at_once: int = 16,
    on_done: Callable[[], None] = lambda: None,
) -> Calibration:
    """Ask the judge about every label ``repeats`` times, and compare."""
    semaphore = asyncio.Semaphore(at_once)

    async def limited(asking: Coroutine[Any, Any, T]) -> T:
        async with semaphore:
            found = await asking
        on_done()
        return found

    single = [label for label in labels if label.winner is None]
    double = [label for label in labels if label.winner is not None]
    scores = await asyncio.gather(
        *(limited(_scores(client, label, config, repeats)) for label in single)
    )
    preferences = await asyncio.gather(
        *(limited(_preferences(client, label, config, repeats)) for label in double)
    )
    rows: Rows = list(zip(single, scores, strict=True))
    pairs: Pairs = list(zip(double, preferences, strict=True))
    verdicts: list[Sequence[Score | Preference]] = [*scores, *preferences]
    return Calibration(
        judge=dict(sorted(client.identity.items())),
        config=config.signature,
        answers=_answers(rows, config) if rows else None,
        comparisons=_comparisons(pairs) if pairs else None,
        consistency=_consistency(verdicts, repeats) if repeats > 1 else None,
        problems={
            label.id: found[0].reason
            for label, found in zip((*single, *double), verdicts, strict=True)
            if _verdict(found[0]) is None
        },
        stopped=client.stopped,
    )


def _verdict(found: Score | Preference) -> bool | str | None:
    """Return whether the judge calls an answer right, or which one it prefers."""
    if isinstance(found, Preference):
        return found.winner
    return None if found.value is None else found.correct


async def _scores(
    client: JudgeClient, label: Label, config: JudgeScoringConfig, repeats: int
) -> list[Score]:
    return [await judge_one(client, label.item, config, repeat=repeat) for repeat in range(repeats)]


async def _preferences(
    client: JudgeClient, label: Label, config: JudgeScoringConfig, repeats: int
) -> list[Preference]:
    found = []
    answers = (label.first, label.second)
    for repeat in range(repeats):
        turn = JudgeTurn(id=label.id, repeat=repeat)
        try:
            preference = await compare(
                client, label.instruction, answers, config, expected=label.expected, turn=turn
            )
        except JudgeError as failed:
            preference = Preference(winner=None, reason=str(failed))
        found.append(preference)
    return found


def _answers(rows: Rows, config: JudgeScoringConfig) -> Answers:
    judged = [(label, scores[0]) for label, scores in rows if scores[0].value is not None]
    pairs = [(label.is_right(config), score.correct) for label, score in judged]
    table = confusion(pairs)
    right = table["true_positive"] + table["false_negative"]
    differences = [
        abs(label.score - (score.value or 0) * config.max_score)
        for label, score in judged
        if label.score is not None
    ]
    return Answers(
        labels=len(rows),
        judged=len(judged),
        confusion=table,
        tpr=rate(table["true_positive"], right),
        tnr=rate(table["true_negative"], len(pairs) - right),
        kappa=kappa(pairs),
        agreement=rate(table["true_positive"] + table["true_negative"], len(pairs)),
        score_difference=sum(differences) / len(differences) if differences else None,
    )


def _comparisons(pairs: Pairs) -> Comparisons:
    judged = [(label, found[0]) for label, found in pairs if found[0].winner is not None]
    winners = [(label.winner, found.winner) for label, found in judged]
    # The order has no effect on what was decided without asking.
    asked = [found for _, found in judged if found.calls]
    # The second time, the second answer is shown first.
    shown = [[(found.in_order, "first"), (found.swapped, "second")] for found in asked]
    preferring = [[winner == ahead for winner, ahead in both if winner != "tie"] for both in shown]
    return Comparisons(
        labels=len(pairs),
        judged=len(judged),
        kappa=kappa(winners),
        agreement=rate(sum(ours == theirs for ours, theirs in winners), len(winners)),
        flipped=rate(sum(found.flipped for found in asked), len(asked)),
        first_shown=paired_share(preferring),
    )


def _consistency(rows: Sequence[Sequence[Score | Preference]], repeats: int) -> Consistency:
    verdicts = [[_verdict(found) for found in row if _verdict(found) is not None] for row in rows]
    same, agreement = consistency(verdicts)
    return Consistency(repeats=repeats, same=same, agreement=agreement)
