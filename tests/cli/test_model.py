"""``steelyard model`` and ``steelyard serve-mock``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commands import Commands


@contextmanager
def served(*args: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command that serves, with the address that its first line names."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "steelyard", *map(str, args)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield process, next(word for word in line.split() if word.startswith("http://"))
        finally:
            process.kill()


def complete(address: str, prompt: str) -> str:
    body = json.dumps(
        {"model": "m", "messages": [{"role": "user", "content": prompt}], "max_tokens": 4}
    ).encode()
    request = urllib.request.Request(
        f"{address}/chat/completions", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        text: str = json.load(answer)["choices"][0]["message"]["content"]
    return text


def test_a_model_is_pulled_and_listed(steelyard: Commands) -> None:
    pulled = steelyard("model", "pull")
    assert pulled.code == 0, pulled.err
    assert Path(pulled.out.strip()).is_file()
    assert "here: " in steelyard("model", "list").out
    listed = json.loads(steelyard("model", "list", "--json").out)
    assert [(row["name"], row["here"]) for row in listed] == [("smollm2", True)]


def test_an_empty_cache(
    steelyard: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "not here" in steelyard("model", "list").out
    ran = steelyard("model", "serve")
    assert (ran.code, ran.out) == (3, "")
    assert "steelyard model pull" in ran.err
    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"GGUF")
    ran = steelyard("model", "pull", "--from", wrong)
    assert ran.code == 3
    assert "SHA-256" in ran.err
    assert steelyard("model", "pull", "--from", tmp_path / "none").code == 2
    assert steelyard("model", "pull", "gpt-9").code == 2


def test_it_is_served_until_ctrl_c(steelyard: Commands) -> None:
    assert steelyard("model", "pull").code == 0
    with served("model", "serve", "--port", 0, "--context", 256) as (process, address):
        assert complete(address, "Say hello.")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_the_mock(tmp_path: Path, steelyard: Commands) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"answers": {"2 + 2?": "four"}}')
    with served("serve-mock", "--plan", plan) as (process, address):
        assert complete(address, "2 + 2?") == "four"
        port = address.split(":")[2].removesuffix("/v1")
        taken = steelyard("serve-mock", "--port", port)
        assert (taken.code, taken.out) == (2, "")
        assert port in taken.err
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert "1 calls" in process.stderr.read()


def test_a_plan_that_is_none(tmp_path: Path, steelyard: Commands) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"rules": [{"do": "explode"}]}')
    ran = steelyard("serve-mock", "--plan", plan)
    assert ran.code == 2
    assert "rules[0].do" in ran.err
