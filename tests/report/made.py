"""Samples that were never run, for pages of any size."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steelyard.models.types import Message
from steelyard.report.page import PageOptions, Told, write_told
from steelyard.runs.sample_row import SampleRow

WORDS = [
    "steel",
    "yard",
    "beam",
    "weight",
    "scale",
    "ounce",
    "pound",
    "balance",
    "pivot",
    "hook",
    "notch",
    "measure",
]


def sample(number: int, **changed: Any) -> SampleRow:
    """A sample of one attempt: two of three are right."""
    right = number % 3 != 0
    said = f"answer number {number}"
    whole: dict[str, Any] = {
        "key": f"{number}.0",
        "id": f"p{number}",
        "problem": number,
        "repeat": 0,
        "category": f"kind {number % 5}",
        "cluster": None,
        "status": "scored",
        "value": float(right),
        "correct": right,
        "extracted": said,
        "span": (0, len(said)),
        "reason": "",
        "parts": (),
        "detail": {},
        "target": said if right else "something else",
        "response": said,
        "reasoning": "",
        "messages": (Message("user", f"question {number}"),),
        "finish": "stop",
        "error": "",
        "error_kind": "",
        "input_tokens": 5,
        "output_tokens": number % 50,
        "seconds": None,
        "failure": None if right else "wrong_answer",
        "judged": False,
        "judge": (),
    }
    return SampleRow(**(whole | changed))


def prose(number: int, length: int = 120) -> str:
    """Words that are different for each number."""
    return " ".join(random.Random(number).choices(WORDS, k=length // 6))


def samples(count: int) -> Iterator[SampleRow]:
    """So many samples, each with its own words."""
    return (
        sample(number, response=f"answer number {number} {prose(number)}")
        for number in range(count)
    )


def told(count: int, **changed: Any) -> Told:
    """What so many samples would have come to."""
    right = count - -(-count // 3)
    head = {
        "value": right / count,
        "ci_lower": 0.6,
        "ci_upper": 0.7,
        "interval": "wilson",
        "total": count,
        "scored": count,
        "pending": 0,
        "unscored": 0,
        "correct": right,
        "accuracy": right / count,
        "worst": right / count,
        "best": right / count,
    }
    results: dict[str, Any] = {
        "benchmark": "made",
        "model": "nobody",
        "signature": "steelyard:made",
        "problems": count,
        "repeats": 1,
        "headline": head,
        "metrics": {},
        "categories": {f"kind {number}": head for number in range(5)},
        "coverage": {"reasons": {}, "truncated": 0},
        "tokens": {"input": 5 * count, "output": 25 * count, "untold": 0},
    }
    failures = {
        "categories": {"wrong_answer": {"count": count - right, "rate": 1 - right / count}},
        "exemplars": [],
    }
    return Told(results | changed, failures, count)


def write_made(path: Path, count: int) -> Path:
    """A page of so many samples."""
    with path.open("wb") as out:
        write_told(told(count), samples(count), out, PageOptions())
    return path
