"""The scripted endpoint: it does what the plan says, the same each time, and tells what it did."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from pathlib import Path

import pytest

from models.scripted import ask_for
from steelyard.errors import DataError, ModelError
from steelyard.models.http import HttpModel
from steelyard.models.mock import MockServer, serving
from steelyard.models.mock_plan import Plan, Rule, Script, load_plan
from steelyard.models.pace import Pace, Pacer, StopRun
from steelyard.models.types import Reply


def fates(plan: Plan, prompts: list[str]) -> list[str]:
    script, found = Script(plan), []
    for prompt in prompts:
        asked = script.asked(
            json.dumps({"messages": [{"role": "user", "content": prompt}]}).encode()
        )
        assert asked is not None
        found.append(script.rule(asked).do)
    return found


PROMPTS = ["a", "b", "a", "c", "a", "b"]


@pytest.mark.parametrize(
    ("rule", "hits"),
    [
        (Rule(do="hang"), [1, 2, 3, 4, 5, 6]),
        (Rule(do="hang", first=2), [1, 2]),
        (Rule(do="hang", numbers=(2, 5)), [2, 5]),
        (Rule(do="hang", every=3), [3, 6]),
        (Rule(do="hang", tries=1), [1, 2, 4]),
        (Rule(do="hang", tries=2), [1, 2, 3, 4, 6]),
        (Rule(do="hang", contains="b"), [2, 6]),
        (Rule(do="hang", contains="a", tries=1), [1]),
        (Rule(do="hang", share=0.0), []),
        (Rule(do="hang", share=1.0), [1, 2, 3, 4, 5, 6]),
    ],
)
def test_when_a_rule_applies(rule: Rule, hits: list[int]) -> None:
    assert [
        number for number, did in enumerate(fates(Plan(rules=(rule,)), PROMPTS), 1) if did == "hang"
    ] == hits


def test_a_share_is_kept_and_does_not_depend_on_the_order() -> None:
    plan = Plan(seed=3, rules=(Rule(do="reset", share=0.3),))
    prompts = [f"question {number}" for number in range(500)]
    there, back = fates(plan, prompts), fates(plan, prompts[::-1])[::-1]
    assert there == back
    assert 110 < there.count("reset") < 190
    assert there != fates(Plan(seed=4, rules=plan.rules), prompts)


def test_a_share_is_drawn_anew_for_each_try() -> None:
    """Or a prompt that was refused once would be refused for ever."""
    again = fates(Plan(rules=(Rule(do="reset", share=0.5),)), ["the same"] * 40)
    assert 8 < again.count("reset") < 32


async def talk(
    plan: Plan, prompts: list[str], limits: Pace | None = None
) -> tuple[list[object], MockServer, Pacer]:
    """Everything asked at once through the pace."""
    async with MockServer(plan) as server:
        model, pacer = HttpModel(server.url, "tiny"), Pacer(limits or Pace(backoff=0.01))
        ends = await asyncio.gather(
            *(pacer.ask(model, ask_for(text)) for text in prompts), return_exceptions=True
        )
        await model.close()
        await asyncio.sleep(0)
    return list(ends), server, pacer


def texts(ends: list[object]) -> list[str]:
    return [end.text if isinstance(end, Reply) else type(end).__name__ for end in ends]


def test_answers_depend_on_the_prompt_alone() -> None:
    prompts = [f"question {number}" for number in range(60)]
    plan = Plan(answers={"question 7": "seven"}, texts=("{number}", "you said {prompt}"))
    one, server, _ = asyncio.run(talk(plan, prompts))
    other, _, _ = asyncio.run(talk(plan, prompts[::-1]))
    assert texts(one) == texts(other)[::-1]
    assert texts(one)[7] == "seven"
    assert len(set(texts(one))) > 10
    assert (server.calls, server.did) == (60, {"answer": 60})


def test_a_rough_endpoint_is_asked_to_the_end() -> None:
    """Resets, 500s, garbage, and a burst of 429s; every sample gets its reply, and no more calls than need be."""
    rules = (
        Rule(do="status", status=429, retry_after=0.05, numbers=(5, 6, 7)),
        Rule(do="reset", tries=1, contains="question 10"),
        Rule(do="status", status=500, tries=2, contains="question 20"),
        Rule(do="garbage", garbage="half", tries=1, contains="question 30"),
        Rule(do="cut", tries=1, contains="question 40"),
    )
    prompts = [f"question {number}" for number in range(100)]
    ends, server, pacer = asyncio.run(
        talk(Plan(rules=rules), prompts, Pace(concurrency=8, backoff=0.01))
    )
    assert all(isinstance(end, Reply) for end in ends), [
        end for end in ends if not isinstance(end, Reply)
    ]
    assert server.calls == pacer.spent.calls == 108
    assert server.most_in_flight <= 8
    assert dict(pacer.spent.failures) == {
        "rate_limit": 3,
        "server": 2,
        "malformed": 1,
        "connection": 2,
    }


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_stops_everything(status: int) -> None:
    ends, server, _ = asyncio.run(
        talk(Plan(rules=(Rule(do="status", status=status),)), ["q"] * 50, Pace(concurrency=4))
    )
    assert {type(end) for end in ends} == {StopRun}
    assert server.calls <= 4
    assert f"status {status}" in str(ends[0])


def test_a_hanging_call_ends_with_its_deadline() -> None:
    rules = (Rule(do="hang", contains="never"),)
    ends, _, _ = asyncio.run(talk(Plan(rules=rules), ["never", "soon"], Pace(deadline=0.5)))
    assert isinstance(ends[0], ModelError)
    assert ends[0].kind == "timeout"
    assert isinstance(ends[1], Reply)


def test_the_log() -> None:
    with serving(Plan(rules=(Rule(do="status", status=500, first=1),))) as server:

        async def main() -> None:
            model = HttpModel(server.url, "tiny")
            await Pacer(Pace(backoff=0.01)).ask(model, ask_for("hello"))
            await model.close()

        asyncio.run(main())
        root = server.url.removesuffix("/v1")
        with urllib.request.urlopen(f"{root}/log", timeout=5) as answer:
            log = json.load(answer)
        with urllib.request.urlopen(f"{root}/v1/models", timeout=5) as answer:
            assert json.load(answer)["data"][0]["id"] == "mock"
    assert (log["calls"], log["prompts"], log["did"]) == (2, 1, {"500": 1, "answer": 1})
    assert log["requests"][1] == {"number": 2, "try": 2, "did": "answer", "prompt": "hello"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not a plan"),
        ('{"rules": [{"do": "explode"}]}', "rules[0].do"),
        ('{"rulez": []}', "rulez"),
        ('{"rules": [{"staus": 500}]}', "staus"),
        ('{"texts": []}', "texts is empty"),
    ],
)
def test_a_plan_that_is_none(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(text)
    with pytest.raises(DataError, match="plan") as caught:
        load_plan(file)
    assert words in str(caught.value)


def test_a_plan_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load_plan(tmp_path / "none.json")
