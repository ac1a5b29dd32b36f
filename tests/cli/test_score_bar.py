"""What is said while a bar is on the terminal stands on lines of its own."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from steelyard.cli import main; main()", "score"]
OWN = "import time\n\ndef f(sample):\n    time.sleep(0.2)\n    print('said', 'by it')\n    return True\n"


def on_a_terminal(folder: Path, *args: str) -> str:
    """All that a command writes to a terminal that has its standard error."""
    here, there = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *args],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=there,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    ) as process:
        os.close(there)
        seen = b""
        with contextlib.suppress(OSError):  # how a terminal says that nobody writes any more
            while more := os.read(here, 65536):
                seen += more
    os.close(here)
    assert process.returncode in {0, 2}
    return seen.decode()


@pytest.mark.parametrize("scorer", ["exact_match", "own.py:f"])
def test_messages_do_not_run_into_the_bar(scorer: str, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "a[b].jsonl").write_text('{"response": "x", "target": "x"}\nnonsense\n' * 4)
    seen = on_a_terminal(tmp_path, "--scorer", scorer, "a[b].jsonl", "--workers", "2")
    assert "scoring" in seen
    said = [line for line in re.split(r"\r\n|\r", seen) if "bad line: " in line or "said" in line]
    assert len(said) == (8 if scorer == "own.py:f" else 4)
    assert all(
        re.fullmatch(r"\x1b\[2K(said by it|bad line: a\[b\]\.jsonl:[2468]: .*)", line)
        for line in said
    ), said
