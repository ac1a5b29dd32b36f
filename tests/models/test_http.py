"""The endpoint over HTTP, against a scripted one that really listens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from models.scripted import ask_for
from steelyard.errors import DataError, ModelError
from steelyard.models.http import HttpModel, Timeouts
from steelyard.models.mock import MockServer
from steelyard.models.mock_plan import Plan, Rule
from steelyard.models.types import Message, Reply, Request

SECRET = "sk-hunter2-hunter2-hunter2"
SHORT = Timeouts(connect=1.0, read=0.4, total=0.8)


def against(
    plan: Plan, use: Callable[[MockServer, HttpModel], Awaitable[Any]], **given: Any
) -> Any:
    """What ``use`` gives, with a model behind the scripted endpoint."""

    async def main() -> Any:
        async with MockServer(plan) as server:
            model = HttpModel(server.url, "tiny", **given)
            try:
                return await use(server, model)
            finally:
                await model.close()
                await asyncio.sleep(0)

    return asyncio.run(main())


def outcome(plan: Plan, **given: Any) -> Reply | ModelError:
    async def use(_: MockServer, model: HttpModel) -> Reply | ModelError:
        try:
            return await model.ask(ask_for("2 + 2?"))
        except ModelError as failed:
            return failed

    found: Reply | ModelError = against(plan, use, **given)
    return found


def test_what_is_sent_and_what_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)

    async def use(server: MockServer, model: HttpModel) -> None:
        messages = (Message("system", "Be brief."), Message("user", "2 + 2?"))
        request = Request(
            messages=messages, parameters={"temperature": 0, "top_k": 5}, id="q1", repeat=3
        )
        reply = await model.ask(request)
        assert (reply.text, reply.reasoning, reply.finish, reply.served_by) == (
            "4",
            "hm",
            "stop",
            "mock",
        )
        assert (reply.input_tokens, reply.output_tokens) == (5, 1)
        assert reply.seconds > 0
        assert json.loads(server.bodies[0]) == {
            "model": "tiny",
            "temperature": 0,
            "top_k": 5,
            "max_tokens": 9,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "2 + 2?"},
            ],
        }
        assert f"Authorization: Bearer {SECRET}".encode() in server.heads[0]
        assert "hunter2" not in f"{model!r}{model.identity}"

    plan = Plan(rules=(Rule(text="4", reasoning="hm"),))
    against(plan, use, key_env="MY_KEY", parameters={"temperature": 1, "max_tokens": 9})


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (Rule(do="status", status=400), "bad_request"),
        (Rule(do="status", status=401), "refused"),
        (Rule(do="status", status=404), "not_found"),
        (Rule(do="status", status=302), "not_found"),
        (Rule(do="status", status=429), "rate_limit"),
        (Rule(do="status", status=500), "server"),
        (Rule(do="garbage", garbage="html"), "malformed"),
        (Rule(do="garbage", garbage="nothing"), "malformed"),
        (Rule(do="garbage", garbage="null"), "malformed"),
        (Rule(do="garbage", garbage="empty"), "malformed"),
        (Rule(do="reset"), "connection"),
        (Rule(do="cut"), "connection"),
        (Rule(do="hang"), "timeout"),
        (Rule(delay=5.0), "timeout"),
        (Rule(stream=3.0), "timeout"),
    ],
    ids=lambda value: (
        value if isinstance(value, str) else f"{value.do}-{value.status}-{value.garbage}"
    ),
)
def test_what_goes_wrong_is_named(rule: Rule, kind: str) -> None:
    failed = outcome(Plan(rules=(rule,)), timeouts=SHORT)
    assert isinstance(failed, ModelError)
    assert failed.kind == kind


def test_a_slow_reply_is_waited_for() -> None:
    reply = outcome(
        Plan(rules=(Rule(stream=0.5, text="slow"),)), timeouts=Timeouts(read=0.4, total=5.0)
    )
    assert isinstance(reply, Reply)
    assert reply.text == "slow"


def test_the_time_to_wait_is_told() -> None:
    failed = outcome(Plan(rules=(Rule(do="status", status=429, retry_after=1.5),)))
    assert isinstance(failed, ModelError)
    assert (failed.status, failed.retry_after) == (429, 1.5)


def test_an_endless_reply_is_not_read_to_its_end() -> None:
    failed = outcome(Plan(rules=(Rule(text="x" * 50_000),)), largest_body=10_000)
    assert isinstance(failed, ModelError)
    assert (failed.kind, "10,000 bytes" in str(failed)) == ("malformed", True)


def test_a_redirect_is_not_followed_with_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)

    async def main() -> None:
        async with MockServer() as other:
            plan = Plan(
                rules=(Rule(do="status", status=307, location=f"{other.url}/chat/completions"),)
            )
            async with MockServer(plan) as server:
                model = HttpModel(server.url, "tiny", key_env="MY_KEY")
                with pytest.raises(ModelError, match="redirects to") as caught:
                    await model.ask(ask_for("hello?"))
                await model.close()
            assert caught.value.kind == "not_found"
            assert (server.calls, other.calls) == (1, 0)

    asyncio.run(main())


def test_nobody_is_there() -> None:
    async def main() -> None:
        async with MockServer() as server:
            url = server.url
        model = HttpModel(url, "tiny")
        with pytest.raises(ModelError) as caught:
            await model.ask(ask_for("hello?"))
        assert caught.value.kind == "connection"
        await model.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    "rule",
    [
        Rule(text=f"you sent {SECRET}"),
        Rule(text="x", reasoning=SECRET),
        Rule(do="answer", text=None),
    ],
)
def test_a_server_that_shows_the_key_again(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    found = outcome(
        Plan(rules=(rule,), texts=(f"{SECRET} {SECRET}",), model=SECRET), key_env="MY_KEY"
    )
    assert "hunter2" not in repr(found)
    assert "[key]" in repr(found)


@pytest.mark.parametrize(
    "parameters", [{"stream": True}, {"n": 2}, {"model": "other"}, {"messages": []}]
)
def test_parameters_that_are_none(parameters: dict[str, Any]) -> None:
    with pytest.raises(DataError):
        HttpModel("http://localhost", "tiny", parameters=parameters)


def test_a_prompt_that_is_no_text() -> None:
    async def use(_: MockServer, model: HttpModel) -> None:
        with pytest.raises(ModelError) as caught:
            await model.ask(ask_for("half a pair: \ud800"))
        assert caught.value.kind == "bad_request"

    against(Plan(), use)
