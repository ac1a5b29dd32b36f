"""Read the answers of recorded outputs with math-verify: its parse() and verify().

    .venv-peers/bin/python benchmarks/peers/read_math_verify.py ROWS.jsonl

Prints a JSON object for each scorer that compares values: the peer's name, Steelyard's scorer, a
verdict for each row (1 right, 0 wrong, - nothing read) and the CPU time.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from functools import cache
from importlib.metadata import version
from typing import Any

from math_verify import parse, verify

SCORERS = ("numeric_match", "answer_line")


@cache
def parse_target(target: str) -> Any:
    """Parse a target, as a formula where it is not a formula by itself."""
    return parse(target) or parse(f"${target}$")


def verdict(row: dict[str, Any]) -> str:
    """Return the verdict on a row."""
    got = parse(row["response"])
    if not got:
        return "-"
    return "1" if verify(parse_target(row["target"]), got) else "0"


def main() -> None:
    """Measure the rows of each scorer."""
    # It reports every timeout.
    logging.disable(logging.CRITICAL)
    with open(sys.argv[1], encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for scorer in SCORERS:
        own = [row for row in rows if row["scorer"] == scorer]
        if own:
            verdict(own[0])
            start = time.process_time()
            verdicts = "".join(map(verdict, own))
            cpu = time.process_time() - start
            label = f"math-verify {version('math-verify')}"
            found = {"name": label, "scorer": scorer, "verdicts": verdicts, "cpu": cpu}
            print(json.dumps(found))


if __name__ == "__main__":
    main()
