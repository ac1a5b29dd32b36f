"""How a judge is to score: everything that a user can set, checked when it is made."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import msgspec

from steelyard.errors import Problem, SpecError
from steelyard.judge.wording import field_names, prompt_text, words
from steelyard.score import exact

# What a rubric may always ask for; any other field has to be a column of the data.
FIELDS = ("instruction", "expected", "response", "max_score", "threshold")
LARGEST_SCALE = 1000


class JudgeScoringConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rubric, the scale and the manner of a judge.

    ``rubric`` is a template with {instruction}, {expected}, {max_score}, {threshold} and the columns of the data.
    The answer is not filled in: it stands in a message of its own, and {response} is replaced by a pointer to it.
    ``threshold`` is the value (score divided by its scale) from which on an answer counts as correct. With
    ``swap_check`` the judge is asked twice, with the task before and after the answer, and the mean counts.
    ``parameters`` go to the model as they are. ``tries`` is how often an unreadable verdict is asked for.

    >>> JudgeScoringConfig(threshold=0.6).max_score
    5
    >>> JudgeScoringConfig(max_score=1)
    Traceback (most recent call last):
    steelyard.errors.SpecError: max_score: must be a whole number from 2 to 1000, not 1
    """

    rubric: str = prompt_text("score")
    max_score: int = 5
    threshold: float = 0.8
    swap_check: bool = False
    system_prompt: str = prompt_text("system")
    parameters: dict[str, Any] = msgspec.field(
        default_factory=lambda: {"temperature": 0, "max_tokens": 1024}
    )
    tries: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        problems = [Problem(path, said) for path, wrong, said in self._checks() if wrong]
        if problems:
            raise SpecError(problems=problems)

    def _checks(self) -> list[tuple[str, bool, str]]:
        scale, tries = self.max_score, self.tries
        return [
            (
                "max_score",
                type(scale) is not int or not 2 <= scale <= LARGEST_SCALE,
                f"must be a whole number from 2 to {LARGEST_SCALE}, not {scale!r}",
            ),
            (
                "threshold",
                not _is_share(self.threshold),
                f"must be more than 0 and at most 1, not {self.threshold!r}",
            ),
            (
                "tries",
                type(tries) is not int or not 1 <= tries <= 10,
                f"must be from 1 to 10, not {tries!r}",
            ),
            (
                "rubric",
                not isinstance(self.rubric, str) or not self.rubric.strip(),
                "must not be empty",
            ),
            ("system_prompt", not isinstance(self.system_prompt, str), "must be a text"),
            (
                "seed",
                type(self.seed) is not int or self.seed < 0,
                f"must be a whole number from 0, not {self.seed!r}",
            ),
        ]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the data that the rubric asks for."""
        return tuple(name for name in field_names(self.rubric) if name not in FIELDS)

    @property
    def signature(self) -> str:
        """The hash of every setting, and of the prompts and words that all judges share."""
        shared = [
            prompt_text(name)
            for name in (
                "fence",
                "score_form",
                "criterion",
                "criterion_form",
                "pair",
                "pair_form",
                "closing",
                "again",
            )
        ]
        data = msgspec.json.encode([self, shared, words()], order="deterministic")
        return hashlib.sha256(data).hexdigest()

    def passes(self, value: float) -> bool:
        """Whether a value counts as correct; the bound itself does.

        >>> JudgeScoringConfig(threshold=0.8).passes(4 / 5)
        True
        """
        return exact(value) >= exact(self.threshold)


def _is_share(given: object) -> bool:
    return (
        isinstance(given, (int, float))
        and not isinstance(given, bool)
        and math.isfinite(given)
        and 0 < given <= 1
    )
