"""Rows that come slowly are scored as they come, and by that nothing else is different."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [
    sys.executable,
    "-c",
    "from steelyard.cli import main; main()",
    "score",
    "--scorer",
    "fuzzy_match",
]


def row(number: int) -> bytes:
    return json.dumps({"id": number, "response": "x", "target": "x"}).encode() + b"\n"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 6])
def test_each_row_comes_out_before_the_next_comes_in(workers: int) -> None:
    args = [*COMMAND, "-", "-o", "-", "-q", "--workers", str(workers)]
    with subprocess.Popen(
        args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(row(number) + b'{"id"')  # half a row waits for its end
            assert select.select([process.stdout], [], [], 15)[0]
            assert json.loads(process.stdout.readline())["id"] == number
            process.stdin.write(b': "half", "response": "x"}\n')
            assert select.select([process.stdout], [], [], 15)[0]
            assert json.loads(process.stdout.readline())["id"] == "half"
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 2  # half of the rows have no target


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--limit", "3"]])
def test_a_slow_pipe_gives_the_results_and_the_signature_of_a_file(
    more: list[str], tmp_path: Path
) -> None:
    pieces = [
        b"\xef\xbb\xbf\n" + row(1),
        row(2)[:9],
        row(2)[9:] + b"\r\n",
        b"nonsense\n" + row(3),
        row(4).rstrip(),
    ]
    (tmp_path / "in.jsonl").write_bytes(b"".join(pieces))
    seen = []
    for name in ("in.jsonl", "-"):
        args = [*COMMAND, name, "-o", "out.jsonl", "--json", *more]
        with subprocess.Popen(
            args,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
            bufsize=0,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for piece in pieces if name == "-" else []:
                process.stdin.write(piece)
                select.select([process.stdout], [], [], 0.8)
            process.stdin.close()
            summary = json.loads(process.stdout.read())
        seen.append(
            (summary["signature_text"], summary["total"], (tmp_path / "out.jsonl").read_bytes())
        )
    assert seen[0] == seen[1]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "tsv"])
def test_a_limit_does_not_wait_for_the_end_of_the_pipe(kind: str) -> None:
    mark = "\t" if kind == "tsv" else ","
    table = f"response{mark}target\n" + 3 * f"x{mark}x\n"
    lines = b"".join(map(row, range(3))) if kind == "jsonl" else table.encode()
    args = [*COMMAND, "-", "--format", kind, "--limit", "2", "--json"]
    with subprocess.Popen(
        args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines)
        try:
            assert process.wait(15) == 0  # and nobody has closed the pipe
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        assert json.loads(process.stdout.read())["total"] == 2
