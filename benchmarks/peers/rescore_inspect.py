"""Rescore recorded answers with inspect-ai: a log whose model outputs are the answers, scored anew.

    .venv-peers/bin/python benchmarks/peers/rescore_inspect.py SCORER ROWS.jsonl COUNT

Three ways: the call of ``score`` alone, with the log already in memory; and from one log file to another, as
a user does it, in either of its formats. Prints one JSON object for each.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import inspect_ai
from inspect_ai import score
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Scorer, answer, exact, includes, match

# The nearest that it has to each of our scorers.
NEAREST: dict[str, tuple[str, Callable[[], Scorer]]] = {
    "exact_match": ("exact()", exact),
    "multichoice_regex": ('answer("letter")', lambda: answer("letter")),
    "answer_line": ('answer("line")', lambda: answer("line")),
    "numeric_match": ("match(numeric=True)", lambda: match(numeric=True)),
    "fuzzy_match": ("includes()", includes),
}


def sample(row: dict[str, Any]) -> EvalSample:
    answers = (row.get("metadata") or {}).get("correct_answers")
    output = ModelOutput.from_content("mockllm/model", row["response"])
    messages = [ChatMessageUser(content="?"), ChatMessageAssistant(content=row["response"])]
    return EvalSample(
        id=row["id"],
        epoch=1,
        input="?",
        target=answers or row["target"],
        messages=messages,
        output=output,
    )


def log_of(rows: list[dict[str, Any]]) -> EvalLog:
    spec = EvalSpec(
        created="2000-01-01T00:00:00+00:00",
        task="recorded",
        model="mockllm/model",
        dataset=EvalDataset(name="recorded", samples=len(rows)),
        config=EvalConfig(),
    )
    return EvalLog(version=2, status="success", eval=spec, samples=[sample(row) for row in rows])


def in_memory(log: EvalLog, build: Callable[[], Scorer], folder: Path) -> EvalLog:
    """Only the scoring: nothing is read or written."""
    return score(log, build(), action="overwrite", display="none")


def from_log_to_log(suffix: str) -> Callable[[EvalLog, Callable[[], Scorer], Path], EvalLog]:
    """What `inspect score` does with a log file: read it, score it, write it."""

    def rescore(log: EvalLog, build: Callable[[], Scorer], folder: Path) -> EvalLog:
        scored = in_memory(read_eval_log(str(folder / f"in{suffix}")), build, folder)
        write_eval_log(scored, str(folder / f"out{suffix}"))
        return scored

    return rescore


WAYS = {
    "in memory": in_memory,
    ".json to .json": from_log_to_log(".json"),
    ".eval to .eval": from_log_to_log(".eval"),
}


def measure(way: str, scorer: str, log: EvalLog, folder: Path) -> dict[str, Any]:
    name, build = NEAREST[scorer]
    began, cpu = time.perf_counter(), time.process_time()
    scored = WAYS[way](log, build, folder)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    found = [next(iter((done.scores or {}).values())).value for done in scored.samples or []]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "peer": f"inspect-ai {inspect_ai.__version__}",
        "as": f"{name}, {way}",
        "rows": len(found),
        "seconds": seconds,
        "cpu": cpu,
        "megabytes": megabytes,
        "verdicts": "".join("1" if value == "C" else "0" for value in found),
    }


def main() -> None:
    scorer, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(path, encoding="utf-8") as source:
        rows = [json.loads(line) for line in islice(source, count)]
    with tempfile.TemporaryDirectory() as folder:
        # The first call loads much that the later ones need not; and each way has a log of its own.
        for some in (rows[:5], rows):
            logs = {way: log_of(some) for way in WAYS}
            for suffix in (".json", ".eval"):
                write_eval_log(log_of(some), str(Path(folder) / f"in{suffix}"))
            told = [measure(way, scorer, log, Path(folder)) for way, log in logs.items()]
    for one in told:
        print(json.dumps(one))


if __name__ == "__main__":
    main()
