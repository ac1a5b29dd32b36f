"""Score recorded answers with autoevals, one call a row.

    .venv-peers/bin/python benchmarks/peers/loop_autoevals.py SCORER ROWS.jsonl COUNT

Only the calls are timed; reading the rows is not. Prints one JSON object, or nothing if it has no
such scorer. A score of 1 counts as right.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import islice
from typing import Any

from autoevals import ExactMatch, Levenshtein, NumericDiff

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def as_float(text: str) -> float:
    """The last number; it has no reader of its own, so this is the plain loop's."""
    found = NUMBER.findall(text.replace(",", ""))
    return float(found[-1]) if found else 0.0


# The nearest that it has; it reads neither letters nor answer lines.
NEAREST: dict[str, tuple[Any, Callable[[str], Any]]] = {
    "exact_match": (ExactMatch, str),
    "numeric_match": (NumericDiff, as_float),
    "fuzzy_match": (Levenshtein, str),
}


def main() -> None:
    scorer, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if scorer not in NEAREST:
        return
    kind, read = NEAREST[scorer]
    evaluate = kind()
    with open(path, encoding="utf-8") as source:
        rows = [json.loads(line) for line in islice(source, count)]
    began, cpu = time.perf_counter(), time.process_time()
    found = [
        evaluate(output=read(row["response"]), expected=read(row["target"])).score for row in rows
    ]
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    verdicts = "".join("1" if value == 1 else "0" for value in found)
    print(
        json.dumps(
            {
                "peer": f"autoevals {version('autoevals')}",
                "as": kind.__name__,
                "rows": len(rows),
                "seconds": seconds,
                "cpu": cpu,
                "megabytes": megabytes,
                "verdicts": verdicts,
            }
        )
    )


if __name__ == "__main__":
    main()
