"""Rescore recorded answers with inspect-ai: a log whose model outputs are the answers, scored anew.

    .venv-peers/bin/python benchmarks/peers/rescore_inspect.py SCORER ROWS.jsonl COUNT

Only the call of ``score`` is timed; making the log is not. Prints one JSON object.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from itertools import islice
from typing import Any

import inspect_ai
from inspect_ai import score
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import answer, exact, includes, match

# The nearest that it has to each of our scorers.
NEAREST = {
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
    return EvalSample(id=row["id"], epoch=1, input="?", target=answers or row["target"], messages=messages,
                      output=output)  # fmt: skip


def log_of(rows: list[dict[str, Any]]) -> EvalLog:
    spec = EvalSpec(created="2000-01-01T00:00:00+00:00", task="recorded", model="mockllm/model",
                    dataset=EvalDataset(name="recorded", samples=len(rows)), config=EvalConfig())  # fmt: skip
    return EvalLog(version=2, status="success", eval=spec, samples=[sample(row) for row in rows])


def main() -> None:
    scorer, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(path, encoding="utf-8") as source:
        rows = [json.loads(line) for line in islice(source, count)]
    name, build = NEAREST[scorer]
    # The first call loads much that the later ones need not.
    score(log_of(rows[:5]), build(), action="overwrite", display="none")
    log = log_of(rows)
    began, cpu = time.perf_counter(), time.process_time()
    scored = score(log, build(), action="overwrite", display="none")
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    found = [next(iter((done.scores or {}).values())).value for done in scored.samples or []]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    verdicts = "".join("1" if value == "C" else "0" for value in found)
    print(json.dumps({"peer": f"inspect-ai {inspect_ai.__version__}", "as": name, "rows": len(found),
                      "seconds": seconds, "cpu": cpu,
                      "megabytes": megabytes, "verdicts": verdicts}))  # fmt: skip


if __name__ == "__main__":
    main()
