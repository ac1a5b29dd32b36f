"""The second pass: many items at a time, against a judge that fails in every way, over a real connection too."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from judge.scripted import Scripted, asker, run, verdict
from steelyard.errors import ModelError, StoreError
from steelyard.judge.client import CallLimiter, NoLimit
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import build_judge_prompt
from steelyard.judge.rating import judge_pending
from steelyard.judge.store import JudgeStore
from steelyard.models.http import HttpModel
from steelyard.models.mock import MockServer
from steelyard.models.mock_plan import Plan, Rule
from steelyard.models.pace import Pace, Pacer, StopRun
from steelyard.models.types import Model, Request
from steelyard.score import Score

ITEMS = [(f"{n}.0", f"Question {n}?", f"Answer {n}.", f"{n}", {}) for n in range(40)]


async def collect(
    model: Model,
    store: JudgeStore,
    items: Iterable[Any] = ITEMS,
    pacer: CallLimiter | None = None,
    **settings: Any,
) -> dict[str, Score]:
    config = JudgeScoringConfig(**settings)
    return {
        key: score
        async for key, score in judge_pending(
            items, config, model, pacer or NoLimit(), store, at_once=8
        )
    }


def test_every_item_gets_its_score_and_is_asked_once(tmp_path: Path) -> None:
    model = Scripted(verdict(4, evidence=""))
    with JudgeStore(tmp_path / "judge.jsonl") as store:
        found = asyncio.run(collect(model, store))
        assert {score.value for score in found.values()} == {0.8}
        assert (sorted(found), len(model.asked), len(store)) == (
            sorted(key for key, *_ in ITEMS),
            40,
            40,
        )
        assert asyncio.run(collect(model, store)) == found
        assert len(model.asked) == 40


def test_the_same_answer_is_asked_about_once_even_at_the_same_time() -> None:
    model = Scripted(verdict(4, evidence=""))
    same = [(f"0.{n}", "Question?", "Answer.", "x", {}) for n in range(30)]
    found = asyncio.run(collect(model, JudgeStore(None), same))
    assert (len(found), len(model.asked)) == (30, 1)
    failing = Scripted(ModelError("down", kind="server"))
    found = asyncio.run(collect(failing, JudgeStore(None), same[:8]))
    assert {score.status for score in found.values()} == {"pending"}


def test_one_outage_costs_one_item(tmp_path: Path) -> None:
    def say(request: Request) -> Any:
        return (
            ModelError("reset", kind="connection")
            if "Answer 7." in request.messages[1].content
            else verdict(5)
        )

    with JudgeStore(tmp_path / "j") as store:
        found = asyncio.run(collect(Scripted(say=say), store))
        assert [key for key, score in found.items() if score.status == "pending"] == ["7.0"]
        assert "reset" in found["7.0"].reason
        later = Scripted(verdict(5))
        assert asyncio.run(collect(later, store))["7.0"].value == 1.0
        assert len(later.asked) == 1


def test_an_error_of_the_whole_run_stops_the_asking() -> None:
    model = Scripted(StopRun("the key is refused", "refused"))
    found = asyncio.run(collect(model, JudgeStore(None)))
    assert {score.status for score in found.values()} == {"pending"}
    assert all("the key is refused" in score.reason for score in found.values())
    assert len(model.asked) <= 8


def test_a_store_that_fails_ends_it() -> None:
    class Full(JudgeStore):
        def add(self, *_: Any) -> str:
            raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="the disk is full"):
        asyncio.run(collect(Scripted(verdict(5)), Full(None)))


def test_a_bug_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(collect(Scripted(ZeroDivisionError("a bug")), JudgeStore(None)))


def test_leaving_early_leaves_nothing_behind() -> None:
    async def leave() -> int:
        found = judge_pending(
            ITEMS,
            JudgeScoringConfig(),
            Scripted(verdict(5)),
            NoLimit(),
            JudgeStore(None),
            at_once=4,
        )
        async for _ in found:
            break
        await found.aclose()
        return len(asyncio.all_tasks())

    assert asyncio.run(leave()) == 1


def test_items_are_taken_as_they_are_needed() -> None:
    taken = []

    def items() -> Iterable[Any]:
        for item in ITEMS:
            taken.append(item)
            yield item

    async def first() -> int:
        found = judge_pending(
            items(),
            JudgeScoringConfig(),
            Scripted(verdict(5)),
            NoLimit(),
            JudgeStore(None),
            at_once=2,
        )
        async for _ in found:
            break
        await found.aclose()
        return len(taken)

    assert asyncio.run(first()) < 20


RULES = (
    Rule(do="status", status=429, retry_after=0.0, share=0.1),
    Rule(do="reset", share=0.05),
    Rule(do="garbage", garbage="html", share=0.05),
    Rule(text="I would rather not.", share=0.2),
)


def test_a_real_endpoint_that_misbehaves(tmp_path: Path) -> None:
    async def judged(store: JudgeStore) -> tuple[dict[str, Score], int]:
        plan = Plan(texts=(verdict(4, evidence=""),), rules=RULES, seed=5)
        async with MockServer(plan) as server:
            model = HttpModel(server.url, "judge")
            try:
                pacer = Pacer(Pace(concurrency=8, backoff=0.01))
                return await collect(model, store, pacer=pacer), server.calls
            finally:
                await model.close()

    with JudgeStore(tmp_path / "judge.jsonl") as store:
        found, calls = asyncio.run(judged(store))
        assert calls > 40
        assert not any(score.value == 0 for score in found.values())
        assert sum(score.value == 0.8 for score in found.values()) >= 35
        assert {score.status for score in found.values()} <= {"scored", "pending", "unscored"}


def test_a_refused_key_is_told(tmp_path: Path) -> None:
    async def judged() -> dict[str, Score]:
        async with MockServer(Plan(rules=(Rule(do="status", status=401),))) as server:
            model = HttpModel(server.url, "judge")
            try:
                return await collect(model, JudgeStore(None), pacer=Pacer(Pace(concurrency=4)))
            finally:
                await model.close()

    found = asyncio.run(judged())
    assert {score.status for score in found.values()} == {"pending"}
    assert "refuses" in found["0.0"].reason


def test_a_judged_item_is_released() -> None:
    """How often an item was asked about is forgotten with it: recorded replies count from 0 again."""
    model = Scripted("so be it")
    client = asker(model)

    async def ask(text: str) -> None:
        await client.ask(build_judge_prompt(text, "answer", "truth"), "a")

    async def ask_all() -> list[int]:
        await ask("one")
        await ask("two")
        client.release("a")
        client.release("nobody")
        await ask("three")
        return [request.repeat for request in model.asked]

    assert run(ask_all()) == [0, 1, 0]
