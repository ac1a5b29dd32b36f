"""The bundled puzzles in invented languages as single questions, each scored by its reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from steelyard.reading.json_values import extract_json
from steelyard.reading.lines import find_answer
from steelyard.reference import match_entry, parse_reference
from steelyard.score import Score, zero
from steelyard.scoring.types import ScorerInput

PUZZLES = Path(__file__).parent.parent / "data" / "puzzles"
_SEPARATOR = re.compile(r"\s*[;,]\s*")
_SEVERAL = "Give the items in one line, separated by semicolons."
_ONE = "Give only what is asked for."


def rows() -> Iterator[dict[str, Any]]:
    """One row a question; those that only a judge can score are left to `steelyard reference score`.

    >>> next(rows())["id"]
    '2025-1.a_1'
    """
    found = [_questions(path) for path in sorted(PUZZLES.glob("*_problem.json"))]
    # One question of each puzzle after the other, so that a run over the first few has them all.
    for turn in range(max(map(len, found))):
        yield from (questions[turn] for questions in found if turn < len(questions))


def _questions(path: Path) -> list[dict[str, Any]]:
    problem = msgspec.json.decode(path.read_bytes())
    solution = msgspec.json.decode(
        path.with_name(f"{problem['id']}_reference_solution.json").read_bytes()
    )
    kept: list[dict[str, Any]] = []
    for name, question in problem["questions"].items():
        reference = parse_reference(solution["answer"][name])
        if reference.is_fuzzy:
            continue
        several = reference.kind == "select" and reference.maxlen != 1
        kept.append(
            {
                "id": f"{problem['id']}.{name}",
                "title": problem["title"],
                "content": problem["content"],
                "question": question,
                "form": _SEVERAL if several else _ONE,
                "reference": solution["answer"][name],
                "category": problem["title"],
            }
        )
    return kept


def match_reference(sample: ScorerInput) -> Score:
    """The answer line of the response, held against the tagged reference that is the target.

    >>> match_reference(ScorerInput("It is base six.\\nAnswer: 30; 12", "<select2,1,3>['12', '18', '30']")).value
    1.0
    """
    reference = parse_reference(sample.target)
    found = find_answer(sample.response)
    if found is None:
        return zero("the response is empty", extracted=None)
    entry = _items(found.value) if reference.kind == "select" else found.value
    score = match_entry(reference, entry)
    return msgspec.structs.replace(score, extracted=found.value, span=found.span)


def _items(line: str) -> list[str]:
    value = extract_json(line) if line.lstrip().startswith("[") else None
    if isinstance(value, list):
        return [
            item if isinstance(item, str) else msgspec.json.encode(item).decode() for item in value
        ]
    return [item for item in _SEPARATOR.split(line.strip(" .")) if item]
