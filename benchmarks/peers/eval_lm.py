"""The same problems, run by lm-eval against the same endpoint.

.venv-peers/bin/python benchmarks/peers/eval_lm.py URL PROBLEMS.jsonl CONCURRENCY FOLDER
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def task(problems: str) -> dict[str, object]:
    return {
        "task": "sums",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": problems}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{question}}",
        "doc_to_target": "{{target}}",
        "generation_kwargs": {"until": [], "do_sample": False},
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    }


def main(url: str, problems: str, concurrency: str, folder: str) -> None:
    os.environ |= {
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": folder,
        "OPENAI_API_KEY": "none",
    }
    import lm_eval

    given = {
        "model": "mock",
        "base_url": f"{url}/chat/completions",
        "num_concurrent": int(concurrency),
        "tokenized_requests": False,
        "max_retries": 3,
    }
    found = lm_eval.simple_evaluate(
        model="local-chat-completions",
        model_args=given,
        tasks=[task(problems)],
        apply_chat_template=True,
        log_samples=True,
        bootstrap_iters=0,
    )
    assert found is not None
    Path(folder, "samples.json").write_text(json.dumps(found["samples"], default=str))
    rows = len(found["samples"]["sums"])
    print(json.dumps({"right": round(found["results"]["sums"]["exact_match,none"] * rows)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
