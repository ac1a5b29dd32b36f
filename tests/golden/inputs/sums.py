"""A benchmark with closed questions, which a rule scores, and open ones, which a judge scores."""

from steelyard import needs_judge, numeric_match, scorer
from steelyard.bench import benchmark

ROWS = [
    {"question": f"What is {n} + {n}?", "answer": 2 * n, "kind": "open" if n % 4 == 0 else "closed"}
    for n in range(24)
]


@benchmark(
    name="sums", dataset=ROWS, prompt="{question}", target_field="answer", category_field="kind"
)
@scorer
def sums(sample):
    return needs_judge(sample) if sample.metadata["kind"] == "open" else numeric_match(sample)
