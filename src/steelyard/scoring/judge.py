"""Samples that only a judge can score.

What only judging needs is loaded when it is first used: most scorers ask no judge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from steelyard.reading.found import Trace
from steelyard.registry import SCORERS
from steelyard.score import Score, pending
from steelyard.scoring.types import ScorerInput

if TYPE_CHECKING:  # at run time __getattr__ loads the same names
    from steelyard.judge.config import JudgeScoringConfig
    from steelyard.judge.prompt import JudgePrompt, build_judge_prompt
    from steelyard.judge.store import JudgeStore
    from steelyard.judge.verdict_parser import JudgeReading, parse_judge_response
    from steelyard.models.types import Model

_HOMES = {
    "JudgePrompt": "prompt",
    "JudgeReading": "verdict_parser",
    "JudgeScoringConfig": "config",
    "build_judge_prompt": "prompt",
    "parse_judge_response": "verdict_parser",
}

__all__ = [
    "JudgePrompt",
    "JudgeReading",
    "JudgeScoringConfig",
    "build_judge_prompt",
    "judge_score",
    "needs_judge",
    "parse_judge_response",
]


@SCORERS.register("needs_judge", needs="nothing", judged=True)
def needs_judge(sample: ScorerInput, *, trace: Trace | None = None) -> Score:
    """Return a Score without a value, pending until there is a verdict.

    >>> dict(needs_judge(ScorerInput(response="It depends.", target="42")))
    {'correct': False, 'needs_judge': True}
    """
    if trace is not None:
        trace.add("judge", "only a judge can score this; until then there is no number")
    return pending()


def judge_score(
    sample: ScorerInput,
    *,
    judge: Model | Callable[[list[dict[str, str]]], str],
    config: JudgeScoringConfig | None = None,
    instruction: str | None = None,
    store: JudgeStore | None = None,
) -> Score:
    r"""Return the Score that a judge gives to one sample.

    ``judge`` is a model, or a function from chat messages (``{"role": …, "content": …}``) to the
    text of a reply, whose last line is the verdict in the form that the prompt asks for. The
    question is ``instruction``, or in the metadata. Criteria under ``rubrics`` or ``criteria`` in
    the metadata are judged one by one. A judge that fails leaves the sample pending; a verdict that
    cannot be read leaves it unscored; neither is a zero. Inside a running event loop use
    ``steelyard.judge.judge_one``.

    >>> sample = ScorerInput(response="Paris", target="Paris", metadata={"question": "Capital?"})
    >>> def judge(messages):
    ...     tag = messages[0]["content"].partition("VERDICT-")[2].split()[0]
    ...     return f'Reason: it is.\nVERDICT-{tag} {{"score": 5}}'
    >>> judge_score(sample, judge=judge).value
    1.0
    """
    import asyncio

    from steelyard.judge.client import JudgeClient, NoLimit, as_model
    from steelyard.judge.config import JudgeScoringConfig
    from steelyard.judge.prompt import JudgeItem, question_in
    from steelyard.judge.rating import judge_one
    from steelyard.judge.store import JudgeStore

    chosen = config or JudgeScoringConfig()
    item = JudgeItem(
        key="",
        instruction=question_in(sample.metadata) if instruction is None else instruction,
        response=sample.response,
        expected=sample.target,
        metadata=sample.metadata,
    )
    calls = JudgeStore(None) if store is None else store
    client = JudgeClient(as_model(judge), NoLimit(), calls, chosen.parameters)
    return asyncio.run(judge_one(client, item, chosen))


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"steelyard.judge.{_HOMES[name]}"), name)
