"""The same problems, run by inspect-ai against the same endpoint.

.venv-peers/bin/python benchmarks/peers/eval_inspect.py URL PROBLEMS.jsonl CONCURRENCY FOLDER
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def main(url: str, problems: str, concurrency: str, folder: str) -> None:
    os.environ |= {"MOCK_BASE_URL": url, "MOCK_API_KEY": "none"}
    from inspect_ai import Task
    from inspect_ai import eval as run_eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import exact
    from inspect_ai.solver import generate

    rows = [json.loads(line) for line in Path(problems).read_text().splitlines()]
    samples = [Sample(id=row["id"], input=row["question"], target=row["target"]) for row in rows]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=exact())
    many = int(concurrency)
    log = run_eval(
        task,
        model="openai-api/mock/mock",
        max_connections=many,
        max_samples=many,
        display="none",
        log_dir=folder,
    )[0]
    assert log.status == "success", log.error
    assert log.results is not None
    print(json.dumps({"right": round(log.results.scores[0].metrics["mean"].value * len(rows))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
