"""A comparison and a gate in every form, held against files: two benchmarks, repeats, passages, missing scores."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from commands import Commands
from report.golden import is_as_it_was
from runs.made_runs import Value, write_run

POLICY = """
margin = 0.05
min_coverage = 0.9
allow = ["system_prompt"]
[overall]
margin = 0.03
[benchmarks.quiz]
margin = 0.1
"""


def values(seed: int, problems: int, repeats: int, rate: float) -> list[list[Value]]:
    """Answers to problems that are as hard for everybody; a few have no score."""
    dice = random.Random(seed)
    hard = [random.Random(f"hard {number}").random() for number in range(problems)]
    return [
        [
            None if dice.random() < 0.01 else float(0.6 * ease + 0.4 * dice.random() < rate)
            for _ in range(repeats)
        ]
        for ease in hard
    ]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    passages = [f"passage {number // 4}" for number in range(60)]
    for place, (folder, model, rate) in enumerate(
        [("old", "quill|1", 0.7), ("new", "=quill-2", 0.72), ("bad", "abacus", 0.3)]
    ):
        write_run(Path(folder, "quiz"), values(place, 120, 1, rate), model=model)
        write_run(
            Path(folder, "reading"),
            values(10 + place, 60, 3, rate),
            model=model,
            benchmark="reading",
            clusters=passages,
            changed={"system_prompt": "brief"} if folder == "new" else None,
        )
    Path("policy.toml").write_text(POLICY, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("form", "ending"), [("--markdown", "md"), ("--csv", "csv"), ("--json", "json"), ("", "txt")]
)
def test_a_comparison_is_as_it_was(runs: Path, form: str, ending: str, steelyard: Commands) -> None:
    done = steelyard(
        "compare",
        "old",
        "new",
        "bad",
        "--allow",
        "system_prompt",
        "--flips",
        2,
        *([form] if form else []),
    )
    assert done.code == 0, done.err
    lines = done.out.splitlines(keepends=True)
    # The CSV has a row for each pair: some of them tell them all.
    is_as_it_was(
        "".join(lines[:1] + lines[1::25]) if form == "--csv" else done.out, f"comparison.{ending}"
    )


@pytest.mark.parametrize(
    ("form", "ending"), [("--markdown", "md"), ("--csv", "csv"), ("--json", "json"), ("", "txt")]
)
@pytest.mark.parametrize(("candidate", "code"), [("new", 4), ("bad", 1)])
def test_a_gate_is_as_it_was(
    runs: Path, form: str, ending: str, candidate: str, code: int, steelyard: Commands
) -> None:
    done = steelyard(
        "gate",
        "--policy",
        "policy.toml",
        "old",
        candidate,
        "--junit",
        "gate.xml",
        *([form] if form else []),
    )
    assert done.code == code, done.err
    is_as_it_was(done.out, f"gate-{candidate}.{ending}")
    is_as_it_was(Path("gate.xml").read_text(encoding="utf-8"), f"gate-{candidate}.xml")


def test_a_gate_has_one_form(runs: Path, steelyard: Commands) -> None:
    done = steelyard("gate", "--margin", "0.1", "old", "bad", "--csv", "--json")
    assert (done.code, "choose one of" in done.err) == (2, True)
