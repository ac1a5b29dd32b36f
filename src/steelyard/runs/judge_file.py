"""``judge.jsonl`` of a run: its order, and what the calls in it have cost."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steelyard.models.spending import Spent
from steelyard.models.types import Request
from steelyard.runs.lines import ScoreLine
from steelyard.runs.loop import Record
from steelyard.runs.run_file import RunFile
from steelyard.score import Score

if TYPE_CHECKING:  # most runs have no judge, and start faster without loading one
    from steelyard.judge.store import JudgeCall, JudgeStore

JUDGE = "judge.jsonl"


def write_judge_file(record: Record, folder: Path) -> dict[str, Any]:
    """Sort the judge's calls as the samples are sorted, and return what results tell of the judge.

    ``judge_tokens`` are those of this run's judge, with ``untold``, the number of replies without a
    count; None if no judge was asked. ``judge_card`` has what is known of a judge: its verdict on
    the canary sample.
    """
    path = folder / JUDGE
    if not path.exists():
        return {"judge_tokens": None}
    from steelyard.judge.rating import read_canary
    from steelyard.judge.store import JudgeStore

    about, config = RunFile.read(folder), record.plan.benchmark.judge_config
    judge = dict(about.shapes.get("judge") or {}).get("model")
    with JudgeStore(path) as store:
        canary = asyncio.run(read_canary(store, judge, config)) if judge else None
        order = chain(calls_of(canary) if canary else (), _calls_in_order(record))
        used = store.rewrite_in_order(order)
        found: dict[str, Any] = {"judge_tokens": _tokens(_own_calls(store, about, used))}
    if canary is not None:
        obeyed = None if canary.value is None else canary.correct
        card = {"value": canary.value, "obeyed": obeyed, "reason": canary.reason}
        found["judge_card"] = {"canary": card}
    return found


def judge_file_changes(about: RunFile, folder: Path) -> list[str]:
    """A note if the judge's replies are not those with which the run last stopped in order."""
    if about.status == "running" or not about.judge_digest:
        return []
    if judge_digest(folder) == about.judge_digest:
        return []
    return [f"{JUDGE} was edited after the run had stopped: its SHA-256 is not that of run.json"]


def judge_digest(folder: Path) -> str:
    """The SHA-256 of the judge's replies; nothing where there are none."""
    path = folder / JUDGE
    if not path.exists():
        return ""
    with path.open("rb") as replies:
        return hashlib.file_digest(replies, "sha256").hexdigest()


def _own_calls(store: JudgeStore, about: RunFile, used: int) -> Iterator[JudgeCall]:
    """The calls that this run has paid for or rests on; a run that was made of another one brings older ones with it.

    Those that it rests on are the first ones: so many are ``used``.
    """
    judge = dict(about.shapes.get("judge") or {}).get("model")
    for number, call in enumerate(store.calls()):
        if call.judge == judge and (number < used or not about.derived_from):
            yield call


def _tokens(calls: Iterator[JudgeCall]) -> dict[str, int]:
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
                spent.note(Request(messages=call.messages), call.reply)


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
