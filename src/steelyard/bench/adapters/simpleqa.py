"""SimpleQA in its published format (CSV: metadata, problem, answer), graded by a judge in three grades."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from steelyard.bench.adapters.humaneval import FOLDER
from steelyard.bench.datasets import Dataset, open_dataset
from steelyard.bench.definition import Benchmark, Problem
from steelyard.bench.manifest import load_manifest
from steelyard.bench.rows import Row
from steelyard.score import Score, unscored

#: The grades by the points that the judge gives on its scale of three.
GRADES = {
    3: "CORRECT",
    2: "NOT_ATTEMPTED",
    1: "INCORRECT",
    0: "NOT_ATTEMPTED",
}  # 0: an empty answer is not judged
_SCALE = 3


def load_simpleqa(dataset: Any = None) -> Benchmark:
    """The questions of a user's file, or a sample of our own; an answer is right, wrong, or not attempted."""
    folder = FOLDER / "simpleqa"
    given = open_dataset(folder / "sample.csv" if dataset is None else dataset, Path())
    rows = Dataset(given.name, lambda: _rows(given), unit=given.unit)
    made = msgspec.structs.replace(load_manifest(folder, rows), settle=settle)
    if dataset is not None:
        return made
    about = "a small sample of our own in the form of SimpleQA, not SimpleQA itself"
    return msgspec.structs.replace(made, name="simpleqa-sample", description=about)


def _rows(given: Dataset) -> Iterator[Row]:
    for row in given.read():
        about = _about(row.columns.get("metadata"))
        columns = {name: value for name, value in row.columns.items() if name != "metadata"}
        yield Row(row.place, {**columns, **about})


def _about(text: Any) -> dict[str, Any]:
    """Topic and kind of answer; the file has them as the text of a Python dict."""
    if isinstance(text, str):
        try:
            text = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return {}
    known = text if isinstance(text, dict) else {}
    return {
        ours: str(known[theirs])
        for theirs, ours in (("topic", "category"), ("answer_type", "answer_type"))
        if theirs in known
    }


def settle(problem: Problem, judged: Score) -> Score:
    """The published value of a grade: 1 for CORRECT, 0 for the other two, which ``detail["grade"]`` tells apart."""
    del problem
    points = round((judged.value or 0) * _SCALE, 6)
    grade = GRADES.get(int(points)) if points == int(points) else None
    if grade is None:
        return unscored(
            f"the judge's {points:g} of {_SCALE} is none of the three grades", detail=judged.detail
        )
    right = grade == "CORRECT"
    return msgspec.structs.replace(
        judged, value=float(right), correct=right, detail={**judged.detail, "grade": grade}
    )


def grade_shares(scores: Iterable[Score]) -> dict[str, float | None]:
    """The published numbers: the share of each grade, correct among those attempted, and the F-score of both."""
    grades = [
        score.detail["grade"]
        for score in scores
        if score.value is not None and "grade" in score.detail
    ]
    if not grades:
        return {}
    correct, missed = grades.count("CORRECT"), grades.count("NOT_ATTEMPTED")
    tried = len(grades) - missed
    share, among = correct / len(grades), correct / tried if tried else None
    both = share + (among or 0)
    return {
        "correct": share,
        "incorrect": grades.count("INCORRECT") / len(grades),
        "not_attempted": missed / len(grades),
        "correct_given_attempted": among,
        "f_score": 2 * share * (among or 0) / both if both else 0.0,
    }
