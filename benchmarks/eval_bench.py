"""The benchmark that the loop is measured on: problems.jsonl in the folder that this file is copied to."""

from pathlib import Path

from steelyard import ScorerInput, exact_match, scorer
from steelyard.bench import benchmark


@benchmark(
    name="sums",
    dataset=str(Path(__file__).parent / "problems.jsonl"),
    prompt="{question}",
    target_field="target",
)
@scorer
def sums(sample: ScorerInput) -> object:
    return exact_match(sample)
