"""A benchmark that has everything which a report can show: categories, parts, grades, a judge."""

from pathlib import Path

from steelyard import Part, answer_line, benchmark, full, needs_judge, scorer, weigh, zero

LINES = Path(__file__).with_name("almanac.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [
    {"id": f"{kind}-{number}", "kind": kind, "question": question, "target": right}
    for number, (kind, question, right, _) in enumerate(line.split("\t") for line in LINES)
]


def item(name, said):
    return full("it is named") if name.casefold() in said.casefold() else zero("it is not named")


@benchmark(
    name="almanac",
    dataset=ROWS,
    prompt="{question}",
    target_field="target",
    category_field="kind",
    system_prompt="Answer in a sentence or two, and end with a line “Answer: …”.",
)
@scorer
def almanac(sample):
    if sample.metadata["kind"] == "essays":
        return needs_judge(sample)
    if sample.metadata["kind"] == "lists":
        names = sample.target.split(", ")
        return weigh([Part(name=name, score=item(name, sample.response)) for name in names])
    return answer_line(sample)
