"""A user's own scorer: whatever it does, the run goes on or ends with a line that says why."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import Commands

TABLE = Path(__file__).parent.parent / "cases" / "batch" / "own_scorers.jsonl"
CASES = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
COMMAND = [sys.executable, "-m", "steelyard"]
ROW = '{"response": "x", "target": "x"}\n'
HEAD = """
import asyncio, os, sys
from steelyard import Score
from steelyard.score import full
print("NOISE AT IMPORT")
os.write(1, b"NOISE AT IMPORT")
class Mine(BaseException): pass
class Mute(Exception):
    def __str__(self): return 1 / 0
class Dumb:
    def __str__(self): return 1 / 0
    __repr__ = __str__
def f(sample):
    BODY
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two rows in it, which is the current one."""
    monkeypatch.chdir(tmp_path)
    Path("rows.jsonl").write_text(2 * ROW)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_whatever_it_does_the_run_goes_on(
    case: dict[str, Any], steelyard: Commands, here: Path
) -> None:
    Path("own.py").write_text(HEAD.replace("BODY", case["body"]))
    ran = steelyard("score", "--scorer", "own.py:f", "rows.jsonl", "-o", "out.jsonl", "--json")
    assert "Traceback" not in ran.err
    summary = json.loads(ran.out)
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [row["value"] for row in rows] == [case["value"]] * 2
    assert all(row.get("reason", "").startswith(case["reason"]) for row in rows)
    assert (ran.code, summary["scored"]) == ((1, 0) if case["value"] is None else (0, 2))
    ran = steelyard("explain", "--scorer", "own.py:f", "--response", "x", "--target", "x")
    assert "Traceback" not in ran.err
    assert ran.code == 0
    assert case["reason"] in ran.out
    ran = steelyard("explain", "--scorer", "own.py:f", "--response", "x", "--target", "x", "--json")
    assert json.loads(ran.out)["score"].get("reason", "").startswith(case["reason"])


def run(folder: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, args)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "how"),
    [
        ("os._exit(0)", "ended with exit code 0"),
        ("os._exit(7)", "ended with exit code 7"),
        ("os.abort()", "was killed by signal 6"),
        ("os.kill(os.getpid(), 9)", "was killed by signal 9"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_sudden_end_is_told_with_its_line(body: str, how: str, workers: int, here: Path) -> None:
    Path("rows.jsonl").write_text(3 * ROW + ROW.replace("x", "end") + 3 * ROW)
    Path("own.py").write_text(
        HEAD.replace("BODY", f"if sample.response == 'end': {body}\n    return True")
    )
    ran = run(here, "score", "--scorer", "own.py:f", "rows.jsonl", "--json", "--workers", workers)
    assert (ran.returncode, ran.stdout) == (3, "")
    told = rf"error: a worker process {how} while scoring rows\.jsonl, (line 4|lines [1-4] to [4-7], at line 4)\n"
    assert re.search(rf"{told}$", ran.stderr)
    assert "Traceback" not in ran.stderr
    ran = run(here, "explain", "--scorer", "own.py:f", "--response", "end", "--target", "x")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert f"a worker process {how} while scoring the response with own.py:f" in ran.stderr


def test_the_line_of_a_sudden_end_is_told_once(here: Path) -> None:
    Path("rows.jsonl").write_text(ROW)
    Path("own.py").write_text(HEAD.replace("BODY", "os._exit(7)"))
    ran = run(here, "score", "--scorer", "own.py:f", "rows.jsonl")
    assert ran.stderr.endswith(
        "error: a worker process ended with exit code 7 while scoring rows.jsonl, line 1\n"
    )


def test_what_it_prints_does_not_reach_the_summary(here: Path) -> None:
    Path("own.py").write_text(
        HEAD.replace("BODY", "print('NOISE'); os.write(1, b'NOISE'); return True")
    )
    for extra in (["--json"], ["-q", "-o", "-"]):
        ran = run(here, "score", "--scorer", "own.py:f", "rows.jsonl", *extra)
        assert ran.returncode == 0, ran.stderr
        assert [json.loads(line) for line in ran.stdout.splitlines()]
        assert "NOISE" in ran.stderr


def test_the_signature_names_the_code_that_scored(here: Path) -> None:
    """A scorer that edits its own file while it scores is signed by what it was."""
    text = "def f(sample):\n    open('own.py', 'a').write('# edited\\n')\n    return True\n"
    signed = set()
    for _ in range(2):
        Path("own.py").write_text(text)
        ran = run(here, "score", "--scorer", "own.py:f", "rows.jsonl", "--json")
        assert Path("own.py").read_text() != text
        signed.add(json.loads(ran.stdout)["signature"]["version"])
    Path("own.py").write_text(text)
    from steelyard.batch.own import find_scorer

    assert signed == {find_scorer("own.py:f").version}


def test_an_input_on_standard_input_is_not_written_over(here: Path) -> None:
    for command in (
        "score --scorer exact_match - -o rows.jsonl < rows.jsonl",
        "score --scorer exact_match rows.jsonl -q -o - >> rows.jsonl",
        "score --scorer exact_match /dev/stdin --format jsonl -o rows.jsonl < rows.jsonl",
    ):
        ran = subprocess.run(
            f"'{sys.executable}' -m steelyard {command}",
            shell=True,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "NO_COLOR": "1"},
        )
        assert ran.returncode == 2
        assert "this is an input; it is never written over" in ran.stderr
        assert Path("rows.jsonl").read_text() == 2 * ROW


def test_a_failure_names_the_line_of_the_users_code(steelyard: Commands, here: Path) -> None:
    Path("helper.py").write_text("import json\n\ndef read(text):\n    return json.loads(text)\n")
    Path("own.py").write_text(
        "import helper\n\ndef f(sample):\n    1 / 0\n\ndef g(sample):\n    helper.read('{')\n"
    )
    for function, told in (
        ("f", "ZeroDivisionError: division by zero (own.py:4)"),
        ("g", "column 2 (char 1) (helper.py:4)"),
    ):
        ran = steelyard("score", "--scorer", f"own.py:{function}", "rows.jsonl", "-o", "out.jsonl")
        assert ran.code == 1
        assert all(
            told in json.loads(line)["reason"]
            for line in Path("out.jsonl").read_text().splitlines()
        )
        assert (
            told
            in steelyard(
                "explain", "--scorer", f"own.py:{function}", "--response", "x", "--target", "x"
            ).out
        )


def test_the_same_run_is_written_in_the_same_bytes(here: Path) -> None:
    """What lies somewhere in memory, or has no order, is told as what it is."""
    body = "return {'correct': True, 'x': object(), 'y': [Mine, Mine(), f], 'z': {'a', 'b', 'c', 'd', 'e'}, 'k': {Score: 1}}"
    Path("own.py").write_text(
        HEAD.replace("BODY", body).replace("class Mine(BaseException)", "class Mine")
    )
    seen = {
        run(here, "score", "--scorer", "own.py:f", "rows.jsonl", "-q", "-o", "-").stdout
        for _ in range(3)
    }
    (written,) = seen
    assert json.loads(written.splitlines()[0])["detail"]["x"] == "<object>"
    assert "0x" not in written


FORKS = """
import multiprocessing, os, sys, time
def forks(sample):
    if sample.response == "5":
        os.fork()
    return float(sample.response != "7")
def asks(sample):
    child = os.fork()
    if child == 0:
        int(sample.response)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0
def leaves(sample):
    child = os.fork()
    if child == 0:
        sys.exit(int(sample.response) % 2)
    return os.waitpid(child, 0)[1] == 0
def lasting(number):
    if number == 3:
        time.sleep(60)
def limits(sample):
    child = multiprocessing.Process(target=lasting, args=(int(sample.response),))
    child.start()
    child.join(20 if sample.response != "3" else 0.2)
    late = child.is_alive()
    child.kill()
    return not late
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "responses", "wrong"),
    [
        ("forks", [str(n) for n in range(40)], ["7"]),
        ("asks", ["1", "x", "2"], ["x"]),
        ("leaves", ["1", "2", "3"], ["1", "3"]),
        ("limits", ["1", "2", "3", "4"], ["3"]),
    ],
)
def test_a_process_that_it_forks_never_speaks_in_its_place(
    function: str, responses: list[str], wrong: list[str], here: Path
) -> None:
    Path("forks.py").write_text(FORKS)
    Path("rows.jsonl").write_text(
        "".join(json.dumps({"response": text, "target": "x"}) + "\n" for text in responses)
    )
    for workers in (1, 2):
        ran = run(
            here,
            "score",
            "--scorer",
            f"forks.py:{function}",
            "rows.jsonl",
            "-q",
            "-o",
            "-",
            "--workers",
            workers,
        )
        rows = [json.loads(line) for line in ran.stdout.splitlines()]
        assert (ran.returncode, [row["line"] for row in rows]) == (
            0,
            list(range(1, len(responses) + 1)),
        ), ran.stderr
        assert [
            text for text, row in zip(responses, rows, strict=True) if row["value"] != 1.0
        ] == wrong
    ran = run(
        here, "explain", "--scorer", f"forks.py:{function}", "--response", wrong[0], "--target", "x"
    )
    assert (ran.returncode, ran.stdout.count("verdict   wrong, value 0")) == (0, 1)
