"""The options of ``steelyard eval``, each once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Option = typer.Option


class Decision(StrEnum):
    """What becomes of an answer that a scorer reads as unclear or missing."""

    judge = "judge"
    zero = "zero"


BENCH_HELP = (
    "A benchmark: a name, my_bench.py[:NAME], a folder with a benchmark.toml, openai-evals:NAME, or "
    "reasoning-gym:NAME?seed=1&size=100."
)
Bench = Annotated[str, Option("--bench", help=BENCH_HELP)]
Dataset = Annotated[
    str | None, Option("--dataset", help="Rows in the place of the benchmark's own.")
]
ModelUrl = Annotated[
    str | None,
    Option("--model-url", help="An OpenAI-compatible endpoint; without one, the embedded model."),
]
ModelId = Annotated[str | None, Option("--model-id", help="The model's name at that endpoint.")]
KeyEnv = Annotated[
    str | None,
    Option("--api-key-env", help="The environment variable that holds the key; else none is sent."),
]
Recorded = Annotated[
    Path | None, Option("--recorded", help="Take replies from this file, and ask nobody.")
]
JudgeUrl = Annotated[
    str | None,
    Option("--judge-url", help="The judge's endpoint; with --judge-id alone, the model's own."),
]
JudgeId = Annotated[str | None, Option("--judge-id", help="The judge's name at that endpoint.")]
JudgeKeyEnv = Annotated[
    str | None,
    Option("--judge-key-env", help="The environment variable that holds the judge's key."),
]
Unclear = Annotated[
    Decision | None,
    Option("--unclear", help="Score unclear answers 0 (the default), or ask the judge about them."),
]
Missing = Annotated[
    Decision | None,
    Option("--missing", help="The same for answers in which nothing of the kind was found."),
]
Repeats = Annotated[int | None, Option("--repeats", min=1, help="How often each problem is asked.")]
MaxProblems = Annotated[
    int | None, Option("--max-problems", min=1, help="Ask only the first so many problems.")
]
Concurrency = Annotated[
    int | None,
    Option("--concurrency", min=1, help="How many requests may be under way; 16 by default."),
]
Output = Annotated[
    Path | None, Option("--output", "-o", help="The run's folder; by default one under runs/.")
]
Resume = Annotated[
    bool, Option("--resume", help="Go on with the run in the folder, if there is one.")
]
AllowChange = Annotated[
    bool, Option("--allow-change", help="Go on although something that shapes samples has changed.")
]
DryRun = Annotated[
    bool,
    Option("--dry-run", help="Show prompts, calls and an estimate; ask nobody, write nothing."),
]
MaxCost = Annotated[
    float | None,
    Option("--max-cost", min=0, help="Stop when replies have cost so much; needs the prices."),
]
MaxTokens = Annotated[
    int | None, Option("--max-tokens", min=1, help="Stop after so many tokens, in and out.")
]
MaxTime = Annotated[float | None, Option("--max-time", min=0, help="Stop after so many seconds.")]
PriceIn = Annotated[
    float | None, Option("--price-in", min=0, help="What a million input tokens cost.")
]
PriceOut = Annotated[
    float | None, Option("--price-out", min=0, help="What a million output tokens cost.")
]
Temperature = Annotated[
    float | None, Option("--temperature", min=0, help="Sent along; else the endpoint decides.")
]
MaxOutput = Annotated[
    int | None, Option("--max-output-tokens", min=1, help="The longest reply, in tokens.")
]
Params = Annotated[
    list[str] | None, Option("--param", help="Any other parameter of the request: name=JSON.")
]
SystemPrompt = Annotated[
    str | None,
    Option("--system-prompt", help="In the place of the benchmark's; @FILE reads a file."),
]
Seed = Annotated[
    int | None, Option("--seed", min=0, help="Repeat n is asked with the seed plus n.")
]
Timeout = Annotated[float, Option("--timeout", min=0.1, help="Seconds that one request may take.")]
ScorerTimeout = Annotated[
    float, Option("--scorer-timeout", min=0.1, help="Seconds that a scorer of yours may take.")
]
AsJson = Annotated[bool, Option("--json", help="Print the results as one JSON object.")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print nothing but errors.")]
Run = Annotated[Path, typer.Argument(help="The run's folder.")]
Offline = Annotated[
    bool, Option("--offline", help="Only read the judge's stored replies again; ask nobody.")
]
SpecFile = Annotated[
    Path | None, Option("--spec", help="Score by this spec instead of the benchmark's scorer.")
]
OtherBench = Annotated[
    str | None, Option("--bench", help="Score by this benchmark instead of the one that was run.")
]
NewRun = Annotated[
    Path | None,
    Option("--output", "-o", help="Keep the outcome as a run of its own, in this folder."),
]


def cascade(
    unclear: Decision | None, missing: Decision | None, before: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the outcomes of reading that the judge decides; without an option it is as before.

    >>> cascade(Decision.judge, None), cascade(None, Decision.judge, ("unclear",))
    (('unclear',), ('unclear', 'missing'))
    """
    given = {"unclear": unclear, "missing": missing}
    return tuple(
        outcome
        for outcome, decision in given.items()
        if decision is Decision.judge or (decision is None and outcome in before)
    )
