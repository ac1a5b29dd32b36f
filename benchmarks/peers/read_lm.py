"""Read the answers of recorded outputs with the filters of lm-eval's tasks.

    .venv-peers/bin/python benchmarks/peers/read_lm.py ROWS.jsonl

The filters and the options of the metric are those of the installed task files. Prints a JSON
object for each: its name, Steelyard's scorer, a verdict for each row (1 right, 0 wrong, - nothing
read) and the CPU time.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import lm_eval.tasks
from lm_eval.api.instance import Instance
from lm_eval.api.metrics import exact_match_fn
from lm_eval.filters import build_filter_ensemble
from lm_eval.tasks._yaml_loader import load_yaml

Row = dict[str, Any]
TASKS = Path(lm_eval.tasks.__file__).parent
GSM8K = "gsm8k/gsm8k-cot.yaml"
MMLU = "mmlu/flan_cot_zeroshot/_mmlu_flan_cot_zeroshot_template_yaml"
TRIVIAQA = "triviaqa/default.yaml"
# For each scorer the tasks that are near to it, with their filters.
NEAREST = {
    "exact_match": [("triviaqa", TRIVIAQA, "remove_whitespace")],
    "multichoice_regex": [
        ("mmlu_pro", "mmlu_pro/_default_template_yaml", "custom-extract"),
        ("mmlu_flan_cot_zeroshot", MMLU, "flexible-extract"),
    ],
    "answer_line": [("bbh_cot_zeroshot", "bbh/cot_zeroshot/dyck_languages.yaml", "strict-match")],
    "numeric_match": [
        ("gsm8k_cot", GSM8K, "strict-match"),
        ("gsm8k_cot", GSM8K, "flexible-extract"),
    ],
    "fuzzy_match": [("triviaqa", TRIVIAQA, "remove_whitespace")],
}
# Not options of the metric itself.
AGGREGATION = {"metric", "aggregation", "higher_is_better"}


def document(row: Row) -> dict[str, list[str]]:
    """Return a document with as many options as a row has letters; their texts are not known."""
    letters = (row.get("letters") or "A-D").upper()
    count = ord(letters[-1]) - ord("A") + 1 if "-" in letters else len(letters)
    return {"choices": [chr(0xE000 + number) for number in range(count)]}


def targets(row: Row, task: str) -> list[str]:
    """Return the targets of a row, as a task writes them."""
    if task.startswith("mmlu_flan"):
        return [f"({row['target']})"]
    return row.get("correct_answers") or [row["target"]]


def is_right(predicted: str, wanted: list[str], options: dict[str, Any]) -> bool:
    """Say whether the metric of a task accepts a prediction for one of the targets."""
    score = exact_match_fn(predictions=[predicted] * len(wanted), references=wanted, **options)
    return bool(score["exact_match"] > 0)


def measure(task: str, path: str, filter_name: str, rows: list[Row]) -> tuple[str, float]:
    """Return the verdicts and the CPU time."""
    config = load_yaml(TASKS / path, resolve_func=False)
    steps = next(one["filter"] for one in config["filter_list"] if one["name"] == filter_name)
    steps = [(step.pop("function"), step) for step in steps]
    ensemble = build_filter_ensemble(filter_name, steps)
    metric = config["metric_list"][0]
    options = {name: value for name, value in metric.items() if name not in AGGREGATION}
    instances = [
        Instance("generate_until", document(row), ("",), number, resps=[row["response"]])
        for number, row in enumerate(rows)
    ]
    start = time.process_time()
    ensemble.apply(instances)
    verdicts = []
    for row, instance in zip(rows, instances, strict=True):
        predicted = instance.filtered_resps[filter_name]
        if predicted == "[invalid]":
            verdicts.append("-")
        else:
            verdicts.append("1" if is_right(predicted, targets(row, task), options) else "0")
    return "".join(verdicts), time.process_time() - start


def main() -> None:
    """Measure every task on the rows of its scorer."""
    with open(sys.argv[1], encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for scorer, nearest in NEAREST.items():
        own = [row for row in rows if row["scorer"] == scorer]
        for task, path, filter_name in nearest:
            if own:
                verdicts, cpu = measure(task, path, filter_name, own)
                label = f"lm-eval {version('lm_eval')} {task} {filter_name}"
                found = {"name": label, "scorer": scorer, "verdicts": verdicts, "cpu": cpu}
                print(json.dumps(found))


if __name__ == "__main__":
    main()
