"""Runs in folders, written from a table of values: what a comparison reads, without asking a model."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.models.types import Message
from steelyard.runs.files import write_json
from steelyard.runs.lines import encode
from steelyard.runs.outputs import AttemptRow, ScoreRow, TimingRow
from steelyard.runs.run_file import RunFile

SHAPES: dict[str, Any] = {
    "engine": "1.0",
    "parameters": {"temperature": 0},
    "benchmark": {
        "name": "quiz",
        "dataset": "abc",
        "prompt": "{q}",
        "system_prompt": "",
        "scorer": {"name": "exact_match", "version": "1", "params": {}},
    },
}
Value = float | None


def write_run(
    folder: Path,
    values: Sequence[Sequence[Value]],
    *,
    model: str = "m",
    changed: Mapping[str, Any] | None = None,
    benchmark: str = "quiz",
    clusters: Sequence[str | None] | None = None,
    ids: Sequence[str] | None = None,
    answer: str = "answer",
) -> Path:
    """A run of as many problems as there are rows, each asked as often as the row is long; None is a sample without a score."""
    folder.mkdir(parents=True)
    repeats = len(values[0])
    shapes = copy.deepcopy(SHAPES) | {"model": {"name": model}}
    shapes["benchmark"]["name"] = benchmark
    for path, value in (changed or {}).items():
        _put(shapes, path.split("."), value)
    RunFile(
        benchmark=benchmark,
        reference=benchmark,
        model=model,
        signature=f"{benchmark} {model}",
        shapes=shapes,
        problems=len(values),
        repeats=repeats,
        status="complete",
    ).write(folder)
    write_json(folder / "results.json", {"headline": {}, "signature": ""})
    write_json(folder / "failure_analysis.json", {})
    with (
        (folder / "scores.jsonl").open("wb") as scores,
        (folder / "attempts.jsonl").open("wb") as attempts,
        (folder / "timings.jsonl").open("wb") as timings,
    ):
        for problem, row in enumerate(values):
            for repeat, value in enumerate(row):
                named = {"key": f"{problem}.{repeat}", "id": ids[problem] if ids else f"p{problem}"}
                scores.write(
                    encode(
                        ScoreRow(
                            **named,
                            status="unscored" if value is None else "scored",
                            value=value,
                            correct=value == 1,
                            target="t",
                            reason="down" if value is None else "compared",
                            category="odd" if problem % 2 else "even",
                            cluster=clusters[problem] if clusters else None,
                        )
                    )
                )
                attempts.write(
                    encode(
                        AttemptRow(
                            **named,
                            problem=problem,
                            repeat=repeat,
                            response=f"{answer} {problem}",
                            messages=(Message("user", f"q {problem}"),),
                        )
                    )
                )
                timings.write(encode(TimingRow(key=named["key"], seconds=0.1, ended=1.0)))
    return folder


def _put(shapes: dict[str, Any], path: list[str], value: Any) -> None:
    for name in path[:-1]:
        shapes = shapes[name]
    shapes[path[-1]] = value


def column(values: Sequence[Value]) -> list[list[Value]]:
    """One attempt a problem."""
    return [[value] for value in values]
