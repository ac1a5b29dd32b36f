"""Calls that take too long are ended, and no others."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest

from models.scripted import ask_for
from steelyard.errors import ModelError
from steelyard.models.http import HttpModel, Timeouts
from steelyard.models.mock import MockServer
from steelyard.models.mock_plan import Plan, Rule
from steelyard.models.patience import Patience


async def hear(patience: Patience, pauses: list[float]) -> None:
    """A call that hears something after each pause."""
    async with asyncio.timeout(None) as call:
        patience.begins(call, time.monotonic())
        try:
            for pause in pauses:
                await asyncio.sleep(pause)
                patience.hears(call)
        finally:
            patience.ends(call)


async def call_of(patience: Patience, pauses: list[float]) -> str:
    try:
        await hear(patience, pauses)
    except TimeoutError:
        return "ended"
    return "done"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("read", "total", "pauses", "wanted"),
    [
        (0.5, 60.0, [0.0], "done"),
        (0.5, 60.0, [0.25, 0.25, 0.25, 0.0], "done"),
        (0.5, 60.0, [30.0], "ended"),
        (0.5, 60.0, [0.1, 30.0], "ended"),
        (60.0, 0.5, [30.0], "ended"),
        (60.0, 0.5, [0.1] * 300, "ended"),
        (0.5, 0.6, [0.2] * 150, "ended"),
    ],
)
def test_a_call_ends_when_it_is_silent_or_takes_too_long(
    read: float, total: float, pauses: list[float], wanted: str
) -> None:
    assert asyncio.run(call_of(Patience(read, total), pauses)) == wanted


def test_one_call_of_many_is_ended() -> None:
    async def main() -> list[str]:
        patience = Patience(0.5, 60.0)
        return await asyncio.gather(
            *(call_of(patience, pauses) for pauses in ([0.2] * 5, [30.0], [0.1]))
        )

    assert asyncio.run(main()) == ["done", "ended", "done"]


def test_whoever_is_told_to_stop_is_not_late() -> None:
    async def main() -> None:
        task = asyncio.create_task(call_of(Patience(30.0, 30.0), [30.0]))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())


def test_what_comes_in_the_moment_in_which_a_call_is_ended_is_late() -> None:
    async def main() -> str:
        loop, said = asyncio.get_running_loop(), asyncio.Event()
        near, far = socket.socketpair()
        loop.add_reader(near.fileno(), lambda: (near.recv(1), said.set()))
        patience = Patience(0.3, 60.0)

        async def call() -> str:
            async with asyncio.timeout(None) as one:
                patience.begins(one, time.monotonic())
                try:
                    await said.wait()
                    patience.hears(one)
                    await asyncio.sleep(30.0)
                finally:
                    patience.ends(one)
            return "done"

        task = asyncio.create_task(call())
        await asyncio.sleep(0)
        far.send(b"x")
        time.sleep(0.5)  # the whole process stood still, and both are found at once
        try:
            return await task
        except TimeoutError:
            return "ended"
        finally:
            loop.remove_reader(near.fileno())
            near.close()
            far.close()

    assert asyncio.run(main()) == "ended"


def test_a_model_is_patient_in_its_second_loop_too() -> None:
    model = HttpModel("http://127.0.0.1:1/v1", "tiny", timeouts=Timeouts(read=0.3, total=5.0))

    async def outcome(rule: Rule) -> str:
        async with MockServer(Plan(rules=(rule,))) as server:
            model.address = f"{server.url}/chat/completions"
            try:
                return (await model.ask(ask_for("hello?"))).text
            except ModelError as failed:
                return failed.kind or ""
            finally:
                await model.close()

    rules = (Rule(text="well"), Rule(do="hang"))
    assert [asyncio.run(asyncio.wait_for(outcome(rule), 30)) for rule in rules] == [
        "well",
        "timeout",
    ]
