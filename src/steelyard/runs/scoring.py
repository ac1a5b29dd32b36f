"""Attempts to Scores, in batches and away from the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from steelyard.bench.definition import Benchmark, Problem
from steelyard.bench.scorers import is_own
from steelyard.engine import usable_cores
from steelyard.errors import DataError, SpecError
from steelyard.foreign import shown
from steelyard.runs.apart import SECONDS, Apart, can_fork
from steelyard.score import Score, unscored
from steelyard.scoring.types import ScorerInput

# Said of a sample that cannot be scored because of its row or the benchmark's parameters.
FAULT = "the benchmark has an error here"


class SampleScorer:
    """Scores replies with the benchmark's own scorer; a scorer's bug leaves its sample unscored, with the reason.

    Our scorers are scored with here. A user's own has a process apart, where it can be ended, unless this process has
    threads already and cannot be forked. Programs run in their own processes, so several of them are scored at once;
    anything else would only wait for its turn.
    """

    def __init__(self, benchmark: Benchmark, *, seconds: float = SECONDS) -> None:
        self._score = benchmark.scoring
        self._pool = (
            ThreadPoolExecutor(usable_cores(), "steelyard-score")
            if benchmark.needs_sandbox
            else None
        )
        own = self._pool is None and is_own(benchmark.scorer)
        self._apart = Apart(self._scored, seconds) if own and can_fork() else None

    def _scored(self, sample: ScorerInput) -> Score:
        try:
            return self._score(sample)
        except (SpecError, DataError) as wrong:
            return unscored(f"{FAULT}: {shown(wrong)}")

    def batch(self, samples: Sequence[tuple[Problem, str]]) -> list[Score]:
        """The Scores of several replies, in their order."""
        # A copy: what a scorer writes into its sample must not reach the next one.
        given = [
            ScorerInput(response=response, target=problem.target, metadata=dict(problem.metadata))
            for problem, response in samples
        ]
        if self._apart is not None:
            return self._apart.batch(given)
        if self._pool is None or len(given) == 1:
            return [self._scored(sample) for sample in given]
        return list(self._pool.map(self._scored, given))

    def close(self) -> None:
        """Let go of the threads and the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        if self._apart is not None:
            self._apart.close()
