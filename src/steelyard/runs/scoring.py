"""Attempts to Scores, in batches and away from the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from steelyard.bench.definition import Benchmark, Problem
from steelyard.engine import usable_cores
from steelyard.errors import DataError, SpecError
from steelyard.registry import shown
from steelyard.score import Score, unscored
from steelyard.scoring.types import ScorerInput


class SampleScorer:
    """Scores replies with the benchmark's own scorer; a scorer's bug leaves its sample unscored, with the reason.

    Programs run in their own processes, so several of them are scored at once; anything else would only wait
    for its turn.
    """

    def __init__(self, benchmark: Benchmark) -> None:
        self._score = benchmark.scoring
        self._pool = ThreadPoolExecutor(usable_cores(), "steelyard-score") if benchmark.needs_sandbox else None

    def one(self, problem: Problem, response: str) -> Score:
        """The Score of one reply."""
        # A copy: what a scorer writes into its sample must not reach the next one.
        sample = ScorerInput(response=response, target=problem.target, metadata=dict(problem.metadata))
        try:
            return self._score(sample)
        except (SpecError, DataError) as wrong:
            return unscored(f"the benchmark has an error here: {shown(wrong)}")

    def batch(self, samples: Sequence[tuple[Problem, str]]) -> list[Score]:
        """The Scores of several replies, in their order."""
        if self._pool is None or len(samples) == 1:
            return [self.one(problem, response) for problem, response in samples]
        return list(self._pool.map(lambda sample: self.one(*sample), samples))

    def close(self) -> None:
        """Let go of the threads."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
