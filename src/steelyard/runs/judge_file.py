"""``judge.jsonl`` of a run: its order, and what the calls in it have cost."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steelyard.models.spending import Spent
from steelyard.models.types import Reply, Request
from steelyard.runs.lines import ScoreLine
from steelyard.runs.loop import Record
from steelyard.runs.run_file import RunFile
from steelyard.score import Score

if TYPE_CHECKING:  # most runs have no judge, and start faster without loading one
    from steelyard.judge.store import Call, JudgeStore

JUDGE = "judge.jsonl"


def write_judge_file(record: Record, folder: Path) -> dict[str, int] | None:
    """Put the judge's replies into the order of the samples; the tokens of this run's judge, None where nobody judged.

    ``untold`` is how many replies came without their tokens.
    """
    path = folder / JUDGE
    if not path.exists():
        return None
    from steelyard.judge.store import JudgeStore

    with JudgeStore(path) as store:
        used = store.settle(_calls_in_order(record))
        return _tokens(_own_calls(store, RunFile.read(folder), used))


def judge_digest(folder: Path) -> str:
    """The SHA-256 of the judge's replies; nothing where there are none."""
    path = folder / JUDGE
    if not path.exists():
        return ""
    with path.open("rb") as replies:
        return hashlib.file_digest(replies, "sha256").hexdigest()


def _own_calls(store: JudgeStore, about: RunFile, used: int) -> Iterator[Call]:
    """The calls that this run has paid for or rests on; a run that was made of another one brings older ones with it.

    Those that it rests on are the first ones: so many are ``used``.
    """
    judge = dict(about.shapes.get("judge") or {}).get("model")
    for number, call in enumerate(store.calls()):
        if call.judge == judge and (number < used or not about.derived_from):
            yield call


def _tokens(calls: Iterator[Call]) -> dict[str, int]:
    told = {"input": 0, "output": 0, "untold": 0}
    for call in calls:
        told["input"] += call.reply.input_tokens or 0
        told["output"] += call.reply.output_tokens or 0
        told["untold"] += call.reply.input_tokens is None or call.reply.output_tokens is None
    return told


def count_spent(folder: Path, judge: Mapping[str, Any], spent: Spent) -> None:
    """Add what earlier sessions have spent on this judge; tokens that were not told are estimated as they were then."""
    path = folder / JUDGE
    if not path.exists():
        return
    from steelyard.judge.store import JudgeStore

    with JudgeStore(path, offline=True) as store:
        for call in store.calls():
            if call.judge == dict(judge):
                kept = call.reply
                spent.note(
                    Request(messages=call.messages),
                    Reply(
                        text=kept.text,
                        reasoning=kept.reasoning,
                        input_tokens=kept.input_tokens,
                        output_tokens=kept.output_tokens,
                    ),
                )


def _calls_in_order(record: Record) -> Iterator[str]:
    for place in range(record.ledger.total):
        offset = record.ledger.score(place)
        line = record.journal.read(offset) if offset is not None else None
        if isinstance(line, ScoreLine) and line.judged:
            yield from calls_of(line.score)


def calls_of(score: Score) -> Iterator[str]:
    """The keys of the judge's calls that a score rests on, those of its parts included."""
    found = score.detail.get("calls")
    if isinstance(found, list):
        yield from (call for call in found if isinstance(call, str))
    for part in score.parts:
        yield from calls_of(part.score)
