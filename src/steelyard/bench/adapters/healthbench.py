"""HealthBench in its published format: conversations, each with its own rubric of points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from steelyard.bench.adapters.humaneval import FOLDER
from steelyard.bench.datasets import Dataset, open_dataset
from steelyard.bench.definition import Benchmark
from steelyard.bench.manifest import load_manifest
from steelyard.bench.rows import Row
from steelyard.errors import DataError
from steelyard.score import Score

_THEME = "theme:"


def load_healthbench(dataset: Any = None) -> Benchmark:
    """The conversations of a user's file, or a sample of our own; a judge is asked about each criterion.

    The value of a reply is what the criteria that it meets earn and cost, by all that could be earned, cut to 0..1.
    """
    folder = FOLDER / "healthbench"
    given = open_dataset(folder / "sample.jsonl" if dataset is None else dataset, Path())
    made = load_manifest(folder, Dataset(given.name, lambda: _rows(given), unit=given.unit))
    if dataset is not None:
        return made
    about = "a small sample of our own in the form of HealthBench, not HealthBench itself"
    return msgspec.structs.replace(made, name="healthbench-sample", description=about)


def _rows(given: Dataset) -> Iterator[Row]:
    for row in given.read():
        if "rubrics" not in row.columns:
            raise given.wrong(
                row, "the row has no 'rubrics': a list of objects with 'criterion' and 'points'"
            )
        tags = row.columns.get("example_tags")
        themes = (
            [str(tag).removeprefix(_THEME) for tag in tags if str(tag).startswith(_THEME)]
            if isinstance(tags, list)
            else []
        )
        yield Row(row.place, {**row.columns, **({"category": themes[0]} if themes else {})})


def overall(scores: Iterable[Score]) -> float:
    """The published number: the mean of earned by possible points, where a reply may be below 0, cut to 0..1 at the end.

    >>> from steelyard.score import zero
    >>> overall([zero("", detail={"earned": -1.0, "possible": 4.0}), zero("", detail={"earned": 3.0, "possible": 4.0})])
    0.25
    """
    shares = [
        score.detail["earned"] / score.detail["possible"] if score.detail.get("possible") else 0.0
        for score in scores
        if score.value is not None
    ]
    if not shares:
        raise DataError("there are no scores")
    return float(min(max(sum(shares) / len(shares), 0.0), 1.0))
