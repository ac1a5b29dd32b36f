"""The real small model, in this process and behind its own server."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from models.scripted import ask_for
from steelyard.errors import DataError, ModelError
from steelyard.models.http import HttpModel
from steelyard.models.local import Engine, LocalModel, start_engine
from steelyard.models.pull import pull_model
from steelyard.models.types import Message, Request

BRIEF = {"max_tokens": 6}


@pytest.fixture(scope="session")
def pulled() -> Path:
    """In the user's own cache, where it stays."""
    return pull_model()


def asked(text: str, **parameters: object) -> Request:
    return Request(
        messages=(Message("system", "Be brief."), Message("user", text)),
        parameters={**BRIEF, **parameters},
    )


def test_it_answers_and_always_alike(pulled: Path) -> None:
    async def main() -> None:
        model = LocalModel(pulled, name="smollm2", engine=Engine(context=512))
        requests = [asked(f"What is {number} + 1?") for number in range(3)]
        replies = [await model.ask(request) for request in requests]
        again = await asyncio.gather(*(model.ask(request) for request in requests))
        await model.close()
        assert [reply.text for reply in replies] == [reply.text for reply in again]
        for reply in replies:
            assert reply.text
            assert reply.finish in {"stop", "length"}
            assert 10 < (reply.input_tokens or 0) < 60
            assert 0 < (reply.output_tokens or 0) <= 6
            assert (reply.served_by, reply.seconds > 0) == ("smollm2", True)

    asyncio.run(main())


def test_who_it_is(pulled: Path) -> None:
    identity = LocalModel.open().identity
    assert (identity["kind"], identity["name"]) == ("local", "smollm2")
    assert identity["sha256"].startswith("b179c952")
    assert identity["parameters"] == {"temperature": 0.0, "seed": 1, "max_tokens": 512}
    assert "OMP_WAIT_POLICY" not in os.environ


def test_one_who_no_longer_waits_ends_it(pulled: Path) -> None:
    async def main() -> None:
        model = LocalModel(pulled, engine=Engine(context=4096))
        await model.ask(asked("Hello"))
        endless = asked("Count for ever.", max_tokens=4000, ignore_eos=True)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(model.ask(endless), 0.5)
        began = time.monotonic()
        await model.ask(asked("Hello"))
        await model.close()
        assert time.monotonic() - began < 20

    asyncio.run(main())


def test_what_it_cannot_be_asked(pulled: Path) -> None:
    async def main() -> None:
        model = LocalModel(pulled, engine=Engine(context=256))
        for request in (
            asked("word " * 3000),
            asked("hi", max_tokens="many"),
            asked("half \ud800"),
        ):
            with pytest.raises(ModelError) as caught:
                await model.ask(request)
            assert caught.value.kind == "bad_request"
        assert (await model.ask(asked("hi"))).text
        await model.close()

    asyncio.run(main())


def test_several_at_once(pulled: Path) -> None:
    async def main() -> None:
        model = LocalModel(pulled, engine=Engine(context=256, slots=3))
        replies = await asyncio.gather(*(model.ask(asked(f"Say {number}")) for number in range(6)))
        await model.close()
        assert all(reply.text for reply in replies)

    asyncio.run(main())


def test_served_on_loopback_it_is_an_endpoint_like_any(
    pulled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "a-key-for-this-test")
    server = start_engine(pulled, Engine(context=256), key="a-key-for-this-test", name="smollm2")

    async def main() -> None:
        model = HttpModel(server.listening_address, "smollm2", key_env="MY_KEY")
        reply = await model.ask(asked("What is 2 + 1?"))
        local = LocalModel(pulled, engine=Engine(context=256))
        same = await local.ask(asked("What is 2 + 1?"))
        stranger = HttpModel(server.listening_address, "smollm2")
        with pytest.raises(ModelError) as caught:
            await stranger.ask(ask_for("hello"))
        assert caught.value.kind == "refused"
        assert (reply.text, reply.input_tokens, reply.served_by) == (
            same.text,
            same.input_tokens,
            "smollm2",
        )
        for one in (model, stranger, local):
            await one.close()

    asyncio.run(main())


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    file = tmp_path / "x.gguf"
    with pytest.raises(DataError, match="cannot be read"):
        LocalModel(file)
    file.write_bytes(b"PK nonsense")
    with pytest.raises(DataError, match="GGUF"):
        LocalModel(file)
    file.write_bytes(b"GGUF nonsense")

    async def main() -> None:
        with pytest.raises(ModelError) as caught:
            await LocalModel(file).ask(asked("hi"))
        assert caught.value.kind == "not_found"

    asyncio.run(main())


@pytest.mark.parametrize("wrong", [{"slots": 0}, {"context": 0}, {"threads": 0}])
def test_an_engine_that_cannot_be(wrong: dict[str, int]) -> None:
    with pytest.raises(DataError):
        Engine(**wrong)
