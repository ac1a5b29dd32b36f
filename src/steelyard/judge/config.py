"""Rubric, scale and limits of a judge, checked when they are set."""

from __future__ import annotations

import functools
import hashlib
import math
from typing import Any, Literal

import msgspec

from steelyard.errors import Problem, SpecError
from steelyard.judge.prompt import plain_text, prompt_text, template_fields
from steelyard.score import exact

# Fields that a rubric can always use; any other field must be a column of the data.
FIELDS = ("instruction", "expected", "response", "max_score", "threshold")
LARGEST_SCALE = 1000
# The prompts that all judges share.
_SHARED = (
    *("fence", "opening", "closing", "again", "control_tokens"),
    *("score_form", "criterion", "criterion_form", "pair", "pair_form"),
)


class JudgeScoringConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of a judge.

    ``rubric`` is a template with {instruction}, {expected}, {max_score}, {threshold} and the
    columns of the data. The answer is not filled in: it is in a message of its own, and {response}
    becomes a pointer to it. ``threshold`` is the least value (score divided by scale) of a correct
    answer. With ``swap_check`` the judge is asked twice, with the task before and after the answer,
    and the mean counts. ``parameters`` go to the model as they are. ``tries`` limits how often an
    unreadable verdict is asked for.

    By default the judge is asked to end its reply with a tagged verdict. A rubric that states a
    form of its own sets ``verdict="form"``; ``labels`` are the words that it uses, with scores.

    >>> JudgeScoringConfig(threshold=0.6).max_score
    5
    >>> JudgeScoringConfig(max_score=1)
    Traceback (most recent call last):
    steelyard.errors.SpecError: max_score: must be a whole number from 2 to 1000, not 1
    """

    rubric: str = msgspec.field(default_factory=functools.partial(prompt_text, "score"))
    max_score: int = 5
    threshold: float = 0.8
    swap_check: bool = False
    system_prompt: str = msgspec.field(default_factory=functools.partial(prompt_text, "system"))
    parameters: dict[str, Any] = msgspec.field(
        default_factory=lambda: {"temperature": 0, "max_tokens": 1024}
    )
    tries: int = 3
    seed: int = 0
    verdict: Literal["tag", "form"] = "tag"
    labels: dict[str, float] = {}

    def __post_init__(self) -> None:
        scale, labels = self.max_score, self.labels
        checks = {
            f"max_score: must be a whole number from 2 to {LARGEST_SCALE}, not {scale!r}": (
                type(scale) is int and 2 <= scale <= LARGEST_SCALE
            ),
            f"threshold: must be more than 0 and at most 1, not {self.threshold!r}": (
                _is_number(self.threshold) and 0 < self.threshold <= 1
            ),
            f"tries: must be from 1 to 10, not {self.tries!r}": (
                type(self.tries) is int and 1 <= self.tries <= 10
            ),
            "rubric: must not be empty": isinstance(self.rubric, str) and bool(self.rubric.strip()),
            "system_prompt: must be a text": isinstance(self.system_prompt, str),
            f"seed: must be a whole number from 0, not {self.seed!r}": (
                type(self.seed) is int and self.seed >= 0
            ),
            f"verdict: must be 'tag' or 'form', not {self.verdict!r}": (
                self.verdict in {"tag", "form"}
            ),
            "labels: are read only with verdict = 'form'": (not labels or self.verdict == "form"),
            f"labels: two of them are the same word: {list(labels)!r}": (
                len({plain_text(label).casefold() for label in labels}) == len(labels)
            ),
            f"labels: must be words with scores from 1 to {scale}, not {labels!r}": all(
                label.strip() and _is_number(score) and 1 <= score <= scale
                for label, score in labels.items()
            ),
        }
        problems = [Problem(*text.split(": ", 1)) for text, good in checks.items() if not good]
        if problems:
            raise SpecError(problems=problems)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the data that the rubric uses."""
        return tuple(name for name in template_fields(self.rubric) if name not in FIELDS)

    @property
    def signature(self) -> str:
        """The hash of every setting, and of the prompts that all judges share."""
        shared = [prompt_text(name) for name in _SHARED]
        data = msgspec.json.encode([self, shared], order="deterministic")
        return hashlib.sha256(data).hexdigest()

    def passes(self, value: float) -> bool:
        """Say whether a value is at least the threshold.

        >>> JudgeScoringConfig(threshold=0.8).passes(4 / 5)
        True
        """
        return exact(value) >= exact(self.threshold)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and math.isfinite(value)
