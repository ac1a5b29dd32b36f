"""Ctrl-C at moments that are hard to hit: while a scorer is tried out, and once more while the command ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from commands import Commands
from steelyard.batch.own import OwnFile
from steelyard.batch.plan import ScorerPlan
from steelyard.bench.adapters.reasoning_gym import _is_sound
from steelyard.registry import Registered

INTERRUPT = "import os, signal\ndef interrupt(*_):\n    os.kill(os.getpid(), signal.SIGINT)\n"
ROWS = "".join(json.dumps({"response": "x", "target": "x"}) + "\n" for _ in range(3))


def interrupted(*_: Any) -> NoReturn:
    raise KeyboardInterrupt


def run(code: str, folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    (folder / "in.jsonl").write_text(ROWS)
    return subprocess.run(
        [sys.executable, "-c", INTERRUPT + code, *args],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_while_a_scorer_is_tried_out(
    steelyard: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in.jsonl").write_text(ROWS)
    monkeypatch.setattr(Registered, "bind", lambda *_: interrupted)
    ran = steelyard("score", "--scorer", "exact_match", tmp_path / "in.jsonl")
    assert (ran.code, ran.out, ran.err) == (130, "", "")
    with pytest.raises(KeyboardInterrupt):
        ScorerPlan(scorer="exact_match", params={"mode": "last"}).check()


def test_while_code_of_others_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspect.signature", interrupted)
    with pytest.raises(KeyboardInterrupt):
        OwnFile("own.py", "mine", b"def mine(sample):\n    return 1\n", "digest of it").load()


def test_while_a_generator_is_tried_out() -> None:
    class Generator:
        score_answer = interrupted

    with pytest.raises(KeyboardInterrupt):
        _is_sound(Generator(), [{"answer": "1"}])


def test_a_second_one_while_the_interpreter_ends(tmp_path: Path) -> None:
    code = (
        "import threading, steelyard.cli as cli\n"
        "threading._register_atexit(interrupt)\n"
        "cli._load = lambda: interrupt\n"
        "cli.main()\n"
    )
    ran = run(code, tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_a_second_one_leaves_the_summary_of_what_was_scored(tmp_path: Path) -> None:
    code = (
        "from steelyard.batch import run\n"
        "from steelyard.report import terminal\n"
        "def interrupting(function):\n"
        "    return lambda *args, **more: (interrupt(), function(*args, **more))[1]\n"
        "run.Tally.merge = interrupting(run.Tally.merge)\n"
        "run._summary = interrupting(run._summary)\n"
        "terminal.show_summary = interrupting(terminal.show_summary)\n"
        "from steelyard.cli import main\n"
        "main()\n"
    )
    ran = run(code, tmp_path, "score", "--scorer", "exact_match", "in.jsonl")
    assert (ran.returncode, ran.stderr) == (130, "")
    assert ran.stdout.startswith("interrupted: this is what had been scored by then\n")
    assert "scored / total" in ran.stdout
