"""The plain loop: ``json``, one comparison or search by ``re``, no reasons and no spans.

    python benchmarks/scoring_plain.py SCORER ROWS.jsonl OUT.jsonl [--processes 2]

The benchmark compares the CPU time of the command with that of this loop in one process. Its
verdicts are often wrong; the benchmark counts how often.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LETTER = re.compile(r"(?i)answer\s*:\s*([A-D])")
LINE = re.compile(r"(?i)answer\s*:\s*(.+)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def exact_match(response: str, row: Any) -> tuple[bool, str | None]:
    """Compare without case and outer white space."""
    return response.strip().lower() == row["target"].strip().lower(), None


def multichoice_regex(response: str, row: Any) -> tuple[bool, str | None]:
    """Compare the first letter after "Answer:"."""
    found = LETTER.search(response)
    letter = found[1].upper() if found else None
    return letter == row["target"], letter


def answer_line(response: str, row: Any) -> tuple[bool, str | None]:
    """Compare the rest of the line after the first "Answer:"."""
    found = LINE.search(response)
    text = found[1].strip() if found else None
    return text == row["target"], text


def numeric_match(response: str, row: Any) -> tuple[bool, str | None]:
    """Compare the last number, as a float."""
    found = NUMBER.findall(response.replace(",", ""))
    if not found:
        return False, None
    return float(found[-1]) == float(row["target"].replace(",", "")), found[-1]


def fuzzy_match(response: str, row: Any) -> tuple[bool, str | None]:
    """Find one of the accepted answers somewhere."""
    text = response.lower()
    answers = (row.get("metadata") or {}).get("correct_answers") or [row["target"]]
    return any(answer.lower() in text for answer in answers), response


SCORERS: dict[str, Callable[[str, Any], tuple[bool, str | None]]] = {
    fn.__name__: fn
    for fn in (exact_match, multichoice_regex, answer_line, numeric_match, fuzzy_match)
}


def lines(path: Path, start: int, end: int) -> Iterator[bytes]:
    """Yield the lines that start between two bytes of a file."""
    with path.open("rb") as source:
        if start:
            source.seek(start - 1)
            source.readline()
        place = source.tell()
        for line in source:
            if place >= end:
                return
            yield line
            place += len(line)


def score(scorer: str, source: Path, out: Path, start: int, end: int) -> None:
    """Score the lines that start between two bytes of a file."""
    fn = SCORERS[scorer]
    with out.open("w", encoding="utf-8") as sink:
        for line in lines(source, start, end):
            row = json.loads(line)
            correct, extracted = fn(row["response"], row)
            sink.write(
                json.dumps({"id": row["id"], "correct": correct, "extracted": extracted}) + "\n"
            )


def main() -> None:
    """Score a file in one process, or in several that take a part each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scorer", choices=SCORERS)
    parser.add_argument("rows", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    size, count = options.rows.stat().st_size, options.processes
    if count == 1:
        score(options.scorer, options.rows, options.out, 0, size)
        return
    edges = [size * part // count for part in range(count + 1)]
    parts = [options.out.with_suffix(f".{part}") for part in range(count)]
    jobs = [
        multiprocessing.Process(
            target=score, args=(options.scorer, options.rows, part, *edges[i : i + 2])
        )
        for i, part in enumerate(parts)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    with options.out.open("wb") as sink:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, sink, 1 << 20)
            part.unlink()


if __name__ == "__main__":
    main()
