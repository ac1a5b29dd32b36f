"""What the environment does to a command: streams that are full, closed or left, and an early Ctrl-C."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FULL = "error: standard output cannot be written: No space left on device\n"
CLOSED = "error: standard output cannot be written: it is closed\n"
COMMANDS = [
    "score --scorer exact_match rows.jsonl",
    "score --scorer exact_match rows.jsonl --json",
    "--help",
    "--version",
    "schema spec",
    "explain --scorer exact_match --response x --target x",
]


def shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "rows.jsonl").write_text('{"response": "x", "target": "x"}\n')
    known = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m steelyard {command}"],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        check=False,
        env={**known, "NO_COLOR": "1", **environment},
    )


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_is_full_is_told(command: str, unbuffered: str, tmp_path: Path) -> None:
    ran = shell(f"{command} > /dev/full", tmp_path, PYTHONUNBUFFERED=unbuffered)
    assert (ran.returncode, ran.stderr) == (3, FULL)


@pytest.mark.parametrize("where", ["2> /dev/full", "2>&-"])
def test_the_summary_is_there_where_nothing_else_can_be_said(where: str, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"response": "x", "target": "x"}\n' + "bad\n" * 30)
    ran = shell(f"score --scorer exact_match bad.jsonl --json {where}", tmp_path)
    assert (ran.returncode, json.loads(ran.stdout)["bad_lines"]) == (2, 30)
    assert shell(f"score --scorer exact_match none.jsonl {where}", tmp_path).returncode == 2


def test_a_file_whose_name_is_no_text_has_a_summary(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl")).write_text(
        '{"response": "x", "target": "x"}\nbad\n'
    )
    ran = shell("score --scorer exact_match *f.jsonl *.jsonl --json".replace("*f", "?"), tmp_path)
    assert (ran.returncode, json.loads(ran.stdout)["files"][0]["name"]) == (2, "\ufffd.jsonl")
    assert "bug" not in ran.stderr
    for option in ("--field id=", "--by "):
        ran = shell(f"score --scorer exact_match rows.jsonl {option}$(printf '\\377')", tmp_path)
        assert (ran.returncode, ran.stdout, "not UTF-8" in ran.stderr) == (2, "", True)


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-16"])
@pytest.mark.parametrize(
    "command",
    [
        "score --scorer exact_match münz.jsonl --by stadt --json",
        "score --scorer exact_match münz.jsonl -q -o -",
        "score --spec s.json --submission t.json --truth t.json --json",
        "lint s.json --truth t.json --json",
        "explain --scorer exact_match --response 'Zürich → 東京' --target x --json",
    ],
)
def test_json_is_utf_8_whatever_the_terminal_has(
    command: str, encoding: str, tmp_path: Path
) -> None:
    (tmp_path / "münz.jsonl").write_text(
        '{"id": "Zürich → 東京", "response": "x", "target": "x", "stadt": "Zürich → 東京"}\n'
    )
    dimension = '{"name": "→", "field": "→", "weight": 1, "primitive": "exact_match"}'
    (tmp_path / "s.json").write_text(f'{{"profile": "free", "dimensions": [{dimension}]}}')
    (tmp_path / "t.json").write_text('{"→": "東京"}')
    ran = shell(command, tmp_path, PYTHONIOENCODING=encoding)
    assert json.loads(ran.stdout)
    assert "→" in ran.stdout


def test_a_reader_that_leaves_ends_the_command_as_a_signal_would(tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text('{"response": "x", "target": "x"}\n' * 20_000)
    command = "score --scorer exact_match many.jsonl -q -o -"
    ran = shell(f"{command} > >(head -n 1 > one.txt); echo $?", tmp_path)
    assert (ran.stdout, ran.stderr) == ("141\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_is_closed_is_told(command: str, tmp_path: Path) -> None:
    ran = shell(f"{command} >&-", tmp_path)
    assert (ran.returncode, ran.stderr) == (3, CLOSED)


@pytest.mark.parametrize(
    "command",
    ["score --scorer exact_match -", "explain --scorer exact_match --target x --response -"],
)
def test_an_input_that_is_closed_is_told(command: str, tmp_path: Path) -> None:
    ran = shell(f"{command} <&-", tmp_path)
    assert (ran.returncode, ran.stderr) == (
        3,
        "error: standard input cannot be read: it is closed\n",
    )


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "print('NOISE')\ndef f(sample):\n    print('NOISE')\n    return True\n"
    )
    ran = shell("score --scorer own.py:f rows.jsonl -q -o out.jsonl <&- >&- 2>&-", tmp_path)
    assert ran.returncode == 0
    assert (tmp_path / "out.jsonl").read_text() == '{"id":1,"line":1,"value":1.0,"correct":true}\n'


def test_ctrl_c_while_the_command_loads_is_quiet(tmp_path: Path) -> None:
    code = (
        "import builtins, sys\n"
        "real = builtins.__import__\n"
        "def load(name, *rest):\n"
        "    if name == 'typer':\n        raise KeyboardInterrupt\n"
        "    return real(name, *rest)\n"
        "from steelyard.cli import main\n"
        "builtins.__import__ = load\nmain()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (ran.returncode, ran.stderr) == (130, "")


def test_ctrl_c_where_python_would_only_tell_of_it_is_quiet(tmp_path: Path) -> None:
    code = (
        "import builtins, os, signal, sys\n"
        "real = builtins.__import__\n"
        "class Going:\n"
        "    def __del__(self):\n        os.kill(os.getpid(), signal.SIGINT)\n        sum(range(1000))\n"
        "def load(name, *rest):\n"
        "    if name == 'typer':\n        Going()\n"
        "    return real(name, *rest)\n"
        "from steelyard.cli import main\n"
        "builtins.__import__ = load\nmain()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, "--version"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_little_is_loaded_before_a_ctrl_c_is_caught(tmp_path: Path) -> None:
    code = "import sys; before = set(sys.modules); import steelyard.cli; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    heavy = {"typing", "typer", "msgspec", "contextlib", "re"}
    assert "steelyard.cli" in ran.stdout.split()
    assert not heavy & set(ran.stdout.split())
