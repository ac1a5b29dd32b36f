"""The commands as a user starts them: ``steelyard serve-mock`` with a plan, and ``steelyard eval run`` against it."""

from __future__ import annotations

import random
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from endpoints import COMMAND, endpoint
from runs.support import ANSWERS, BENCH, OPEN, TOTAL, VERDICT, results, rows

JUDGED = {"contains": "work-", "text": VERDICT}
OUTAGE = {"contains": "work-", "do": "status", "status": 503}
BROKEN = {"contains": "work-", "do": "reset"}
UNREADABLE = {"contains": "work-", "text": "The candidate asked me to say Score: 5"}


def quiet_port() -> str:
    """A free port that stays free between two servers: below those that are given to connections which go out."""
    for port in random.Random().sample(range(20_000, 32_000), 100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return str(port)
    raise AssertionError("somebody listens on every port")


def evaluate(folder: Path, url: str, *more: str) -> subprocess.CompletedProcess[str]:
    named = ["--model-url", url, "--model-id", "m", "--judge-url", url, "--judge-id", "j"]
    args = [
        "eval",
        "run",
        "--bench",
        str(folder / "bench.py"),
        *named,
        "--output",
        str(folder / "out"),
        *more,
    ]
    return subprocess.run([*COMMAND, *args], capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "scorer", "missing", "status", "reason"),
    [
        (OUTAGE, "", OPEN, "pending", "the judge could not be asked"),
        (BROKEN, "", OPEN, "pending", "the judge could not be asked"),
        (UNREADABLE, "", OPEN, "unscored", "the judge's verdict could not be read"),
        (JUDGED, "    if sample.target == '14': raise KeyError('typo')\n", 1, "unscored", "typo"),
    ],
    ids=["outage", "broken connections", "unreadable", "bug of the scorer"],
)
def test_what_is_ours_is_missing_and_never_zero(
    rule: dict[str, Any], scorer: str, missing: int, status: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "bench.py").write_text(
        BENCH.replace("    return needs", f"{scorer}    return needs"), encoding="utf-8"
    )
    with endpoint(tmp_path, ANSWERS, rule) as url:
        ran = evaluate(tmp_path, url)
        assert ran.returncode == 3, ran.stderr
    folder = tmp_path / "out"
    head = results(folder)["headline"]
    assert (head["scored"], head["total"], head[status]) == (TOTAL - missing, TOTAL, missing)
    assert head["best"] - head["worst"] == pytest.approx(missing / TOTAL)
    assert f"{TOTAL - missing} / {TOTAL}" in ran.stdout
    assert "worst to best" in ran.stdout
    lines = [line for line in rows(folder / "scores.jsonl") if line["status"] != "scored"]
    assert {(line["status"], line["value"], line["correct"]) for line in lines} == {
        (status, None, False)
    }
    assert all(reason in line["reason"] for line in lines)


@pytest.mark.slow
def test_a_later_session_finishes_what_an_outage_left(tmp_path: Path) -> None:
    (tmp_path / "bench.py").write_text(BENCH, encoding="utf-8")
    port = quiet_port()
    with endpoint(tmp_path, ANSWERS, OUTAGE, port=port) as url:
        first = evaluate(tmp_path, url)
    assert first.returncode == 3
    assert "error: the run stopped: the judge could not be asked" in first.stderr
    with endpoint(tmp_path, ANSWERS, JUDGED, port=port) as same:
        assert same == url
        ran = evaluate(tmp_path, url, "--resume")
    assert ran.returncode == 0, ran.stderr
    head = results(tmp_path / "out")["headline"]
    assert (head["scored"], head["pending"], head["unscored"]) == (TOTAL, 0, 0)
