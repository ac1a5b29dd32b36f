"""A run that was really run: recorded replies of a model, and a judge at a scripted endpoint."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

from steelyard.models.mock import serving
from steelyard.models.mock_plan import Plan, Rule

CASES = Path(__file__).parent.parent / "cases" / "report"
LINES = [
    line.split("\t") for line in (CASES / "almanac.tsv").read_text(encoding="utf-8").splitlines()
]
REPEATS = 3
# Samples of which a test knows what is in them.
HOSTILE, REFUSED, LONG, PRIVATE, MISSING, CUT_OFF = 0, 1, 15, 16, 21, 22
HOSTILE_TEXT = '</script><img src=x onerror="window.broken=1"><!-- <b>bold</b> ]]> \u202e \x1b[31m ${window.broken=2}\nAnswer: Lyon'
PRIVATE_TEXT = (
    "\uf8ff\ue000\ue123 \U0001f3d4\ufe0f caf\u00e9 Паротит 山 the the the\nAnswer: Elbrus"
)
MIDDLE = "Answer: Kilimanjaro"
JUDGED = Rule(
    contains="work-", text='Evidence: tilted\nReason: it names the cause\n{tag} {"score": 4}'
)


def reply(number: int, repeat: int, rng: random.Random, *, odd: bool) -> dict[str, object] | None:
    """What the model said; None where it said nothing."""
    kind, question, right, wrong = LINES[number]
    known = {
        HOSTILE: HOSTILE_TEXT,
        REFUSED: "I'm sorry, but I can't help with that.",
        PRIVATE: PRIVATE_TEXT,
        LONG: f"{'Let me think about it. ' * 1500}\n{MIDDLE}\n{'On the other hand one may wonder. ' * 1000}",
    }
    said = right if rng.random() < 0.72 else wrong
    manner = rng.choice(["I am quite sure.", "As far as I know:", "From memory:"])
    text = f"The question is: {question} {manner}\n\nAnswer: {said}"
    if repeat == 0 and odd:
        text = known.get(number, text)
    if repeat == 0 and number == MISSING:
        return None
    return {
        "id": f"{kind}-{number}",
        "repeat": repeat,
        "text": text,
        "input_tokens": 24 + len(question) // 4,
        "output_tokens": len(text) // 4,
        "finish": "length" if number == CUT_OFF and repeat == 0 else "stop",
        "reasoning": f"The user asks about {kind}." if number % 7 == 0 else "",
    }


def make_run(folder: Path, *, odd: bool = True, repeats: int = REPEATS) -> Path:
    """The folder of a run, by the command that users have; ``odd`` puts in the samples that tests know."""
    for name in ("almanac.py", "almanac.tsv"):
        shutil.copy(CASES / name, folder / name)
    rng = random.Random(7)
    replies = [
        reply(number, repeat, rng, odd=odd)
        for number in range(len(LINES))
        for repeat in range(repeats)
    ]
    lines = [json.dumps(one) + "\n" for one in replies if one is not None]
    (folder / "replies.jsonl").write_text("".join(lines), encoding="utf-8")
    with serving(Plan(rules=(JUDGED,))) as server:
        command = [
            sys.executable,
            "-m",
            "steelyard",
            "eval",
            "run",
            "--bench",
            "almanac.py",
            "--recorded",
            "replies.jsonl",
            "--judge-url",
            server.url,
            "--judge-id",
            "referee",
            "--repeats",
            str(repeats),
            "--output",
            "run",
            "-q",
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr  # one sample has no reply
    return folder / "run"
