"""Where the time of a row goes: reading, decoding, scoring, counting, encoding, and the pipe to the workers.

    python benchmarks/scoring_breakdown.py SCORER ROWS.jsonl COUNT

One process does the work of the command on about so many rows, with a clock around each step. The clock is
that of the processor, so that neighbours do not count. Prints microseconds a row, as JSON.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from steelyard.batch import ScorerPlan, Source
from steelyard.batch.reading import Reading
from steelyard.batch.tally import Tally

# The steps of a worker, as methods of the object that does them.
STEPS = {"decode": "_rows.block", "score": "_scores", "encode": "_encode", "count": "_tally"}


class Clock:
    """Adds up the time of each step."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    def around(self, step: str, fn: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            began = time.process_time()
            result = fn(*args, **kwargs)
            self.spent[step] += time.process_time() - began
            return result

        return timed

    def watch(self, thing: object, path: str, step: str) -> None:
        """Time a method of the object from now on."""
        *inner, name = path.split(".")
        for part in inner:
            thing = getattr(thing, part)
        setattr(thing, name, self.around(step, getattr(thing, name)))


def measure(scorer: str, path: str, count: int) -> dict[str, float]:
    """Microseconds a row for each step."""
    clock = Clock()
    work = ScorerPlan(scorer=scorer).build()
    for step, method in STEPS.items():
        clock.watch(work, method, step)
    blocks: Iterator[Any] = Reading([Source(path)]).start()
    read = clock.around("read and hash", lambda: next(blocks, None))
    carry = clock.around("pipe", lambda item: pickle.loads(pickle.dumps(item)))
    total = Tally()
    merge = clock.around("merge", total.merge)
    while total.all.total < count and (block := read()) is not None:
        done = carry(work(carry(block)))
        merge(done.tally)
    return {step: spent / total.all.total * 1e6 for step, spent in clock.spent.items()}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
