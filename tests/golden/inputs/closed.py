"""A benchmark that needs no judge."""

from steelyard import numeric_match, scorer
from steelyard.bench import benchmark

ROWS = [{"question": f"What is {n} times 3?", "answer": 3 * n} for n in range(24)]


@benchmark(name="closed", dataset=ROWS, prompt="{question}", target_field="answer")
@scorer
def closed(sample):
    return numeric_match(sample)
