"""Read the answers of recorded outputs with inspect-ai's scorers.

    .venv-peers/bin/python benchmarks/peers/read_inspect.py ROWS.jsonl

Prints a JSON object for each scorer that is near to one of Steelyard's: its name, Steelyard's
scorer, a verdict for each row (1 right, 0 wrong, - nothing read, ! target refused), and the CPU
time.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import inspect_ai
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import (
    CORRECT,
    Scorer,
    Target,
    answer,
    choice,
    exact,
    includes,
    match,
)
from inspect_ai.solver import TaskState
from inspect_ai.solver._multiple_choice import (
    parse_answers,
    set_choices_based_on_generated_response,
)

Row = dict[str, Any]
NEAREST: dict[str, dict[str, Callable[[], Scorer]]] = {
    "exact_match": {"exact()": exact},
    "multichoice_regex": {'answer("letter")': lambda: answer("letter"), "choice()": choice},
    "answer_line": {'answer("line")': lambda: answer("line"), "match()": match},
    "numeric_match": {"match(numeric=True)": lambda: match(numeric=True)},
    "fuzzy_match": {"includes()": includes},
}


def letter_count(row: Row) -> int:
    """Return how many letters a row may choose from.

    >>> letter_count({"letters": "A-J"}), letter_count({})
    (10, 4)
    """
    letters = (row.get("letters") or "A-D").upper()
    return ord(letters[-1]) - ord("A") + 1 if "-" in letters else len(letters)


def task_state(row: Row, number: int) -> TaskState:
    """Return the state of a sample whose model gave the response of a row."""
    return TaskState(
        model="mockllm/model",
        sample_id=number,
        epoch=1,
        input="?",
        messages=[],
        choices=[""] * letter_count(row),
        output=ModelOutput.from_content("mockllm/model", row["response"]),
    )


async def verdict(scorer: Scorer, state: TaskState, target: Target) -> str:
    """Return the verdict on one state."""
    score = await scorer(state, target)
    return "1" if score and score.value == CORRECT else "0" if score and score.answer else "-"


async def choice_verdict(scorer: Scorer, state: TaskState, target: Target) -> str:
    """Return the verdict of choice(), for which the multiple_choice solver reads the letter."""
    set_choices_based_on_generated_response(state, parse_answers(state, False))
    try:
        return await verdict(scorer, state, target)
    except ValueError:
        return "!"  # it refuses a target that is not one of the letters


async def measure(name: str, scorer: Scorer, rows: list[Row]) -> tuple[str, float]:
    """Return the verdicts and the CPU time."""
    states = [task_state(row, number) for number, row in enumerate(rows)]
    targets = [Target(row.get("correct_answers") or row["target"]) for row in rows]
    pairs = zip(states, targets, strict=True)
    start = time.process_time()
    read = choice_verdict if name == "choice()" else verdict
    verdicts = [await read(scorer, *pair) for pair in pairs]
    return "".join(verdicts), time.process_time() - start


def main() -> None:
    """Measure every scorer on the rows of its kind."""
    with open(sys.argv[1], encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for scorer, nearest in NEAREST.items():
        own = [row for row in rows if row["scorer"] == scorer]
        for name, build in nearest.items():
            if own:
                verdicts, cpu = asyncio.run(measure(name, build(), own))
                label = f"inspect-ai {inspect_ai.__version__} {name}"
                found = {"name": label, "scorer": scorer, "verdicts": verdicts, "cpu": cpu}
                print(json.dumps(found))


if __name__ == "__main__":
    main()
