"""Why samples failed: one category for each failure, and a bounded collection of examples."""

from __future__ import annotations

import json
from bisect import insort
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import UNSET

from steelyard.metrics.refusals import is_refusal
from steelyard.metrics.wording import error_category
from steelyard.reading.cuts import cut
from steelyard.score import Score

FAILURE_CATEGORIES = (
    "timeout",
    "rate_limit",
    "content_filter",
    "model_error",
    "empty",
    "refusal",
    "format_error",
    "wrong_answer",
)
# How an endpoint marks a reply that it has held back.
_FILTERED = "content_filter"
_INVISIBLE = " \t\r\n\v\f\u00a0\u200b\u200c\u200d\u2060\ufeff"


def classify_failure(
    response: Any,
    *,
    error: Any = None,
    extracted: Any = UNSET,
    correct: bool = False,
    finish: str = "",
) -> str | None:
    """The first of FAILURE_CATEGORIES that applies, or None for a right answer, which never failed.

    ``error`` is what the model call failed with; ``extracted`` is what the scorer read out of the
    response (None: it looked and found nothing; left out: it did not look). ``finish`` is why the
    endpoint says that the reply ended.

    >>> classify_failure("", error="HTTP 429: Too Many Requests")
    'rate_limit'
    >>> classify_failure("I’m sorry, but I can’t help with that.")
    'refusal'
    >>> classify_failure("", finish="content_filter")
    'content_filter'
    >>> classify_failure("42", extracted="42", correct=True)
    """
    if correct:
        return None
    text = response if type(response) is str else "" if response is None else str(response)
    if named := _without_text(text, error, finish):
        return named
    shown = text
    if "<" in text and not (shown := cut(text)).strip():
        return "format_error"  # there is a response, but nothing in it is an answer
    if (extracted is UNSET or not _is_choice(extracted)) and is_refusal(shown):
        return "refusal"
    return "format_error" if extracted is None else "wrong_answer"


def _without_text(text: str, error: Any, finish: str) -> str | None:
    """The category of a sample whose model call failed, or whose reply is empty."""
    named = None if error is None else error_category(error)
    # Most responses begin with a letter or a digit, and then they are not empty.
    if text[:1].isalnum() or (text.strip() and text.strip(_INVISIBLE)):
        return named
    if finish == _FILTERED and named in {None, "model_error"}:
        return _FILTERED
    return named or "empty"


def _is_choice(extracted: Any) -> bool:
    """A letter is only read where it is given as the answer; a number may be read out of a refusal."""
    return isinstance(extracted, str) and len(extracted) == 1 and extracted.isalpha()


class _Exemplar(NamedTuple):
    """An example of a failure; ordered by its problem, numbers before names."""

    order: tuple[int, int, str]
    problem_idx: int | str
    response_preview: str


class ArtifactCollector:
    """Counts failures by category and keeps a few short examples of each.

    It can be filled while samples stream by, pickled, and merged with those of other workers: the
    result does not depend on how the samples were spread. Of each category the examples with the
    lowest problem numbers are kept.

    >>> failures = ArtifactCollector()
    >>> failures.add("I'm sorry, I cannot...", problem_idx=42)
    'refusal'
    >>> failures.add("4", correct=True, problem_idx=43)
    >>> failures.analysis()["failure_rate"]
    0.5
    """

    def __init__(self, *, max_exemplars: int = 5, preview_chars: int = 200) -> None:
        if max_exemplars < 0 or preview_chars < 1:
            raise ValueError("max_exemplars must be 0 or more, and preview_chars 1 or more")
        self.max_exemplars, self.preview_chars = max_exemplars, preview_chars
        self.n_samples = 0
        self.n_unscored = 0
        self._counts: Counter[str] = Counter()
        self._exemplars: dict[str, list[_Exemplar]] = {}

    def add(
        self,
        response: Any,
        *,
        correct: bool = False,
        error: Any = None,
        extracted: Any = UNSET,
        finish: str = "",
        problem_idx: int | str | None = None,
    ) -> str | None:
        """Count one sample and return its category, or None for a right answer."""
        place = self.n_samples if problem_idx is None else problem_idx
        category = classify_failure(
            response, error=error, extracted=extracted, correct=correct, finish=finish
        )
        self.count(category, response, place)
        return category

    def count(self, category: str | None, response: Any, place: int | str) -> None:
        """Count one sample whose category is known."""
        self.n_samples += 1
        if category is not None:
            self._counts[category] += 1
            self._keep(category, place, response)

    def add_score(
        self,
        score: Score,
        response: Any,
        *,
        error: Any = None,
        finish: str = "",
        problem_idx: int | str | None = None,
    ) -> str | None:
        """Count one scored sample; without a value it is nobody's failure yet, and is counted as unscored.

        Without a value, an error of the model call is a failure of the attempt; a right answer is none.
        """
        if score.value is None and not (error is not None and error_category(error)):
            self.n_samples += 1
            self.n_unscored += 1
            return None
        return self.add(
            response,
            correct=score.correct,
            error=error,
            extracted=score.extracted,
            finish=finish,
            problem_idx=problem_idx,
        )

    def merge(self, other: ArtifactCollector) -> None:
        """Take in what another collector has counted."""
        self.n_samples += other.n_samples
        self.n_unscored += other.n_unscored
        self._counts.update(other._counts)
        for category, examples in other._exemplars.items():
            # Of those with one place the earlier stands first, wherever the samples were divided.
            both = sorted([*self._exemplars.get(category, ()), *examples], key=_by_order)
            self._exemplars[category] = both[: self.max_exemplars]

    def analysis(self) -> dict[str, Any]:
        """The failures as plain data, the most frequent category first; rates are over all samples."""
        total = self._counts.total()
        names = sorted(
            self._counts, key=lambda name: (-self._counts[name], FAILURE_CATEGORIES.index(name))
        )
        return {
            "total_failures": total,
            "failure_rate": self._rate(total),
            "categories": {
                name: {"count": self._counts[name], "rate": self._rate(self._counts[name])}
                for name in names
            },
            "exemplars": [
                {
                    "category": name,
                    "problem_idx": one.problem_idx,
                    "response_preview": one.response_preview,
                }
                for name in names
                for one in self._exemplars.get(name, ())
            ],
        }

    def write(self, path: str | Path) -> Path:
        """Write the analysis to the ``.json`` file, or as ``failure_analysis.json`` into the folder."""
        target = Path(path)
        if target.suffix != ".json":
            target = target / "failure_analysis.json"
        text = json.dumps(self.analysis(), indent=2, ensure_ascii=False, allow_nan=False)
        target.write_text(text + "\n", encoding="utf-8")
        return target

    def _rate(self, count: int) -> float:
        return count / self.n_samples if self.n_samples else 0.0

    def _keep(self, category: str, place: Any, response: Any) -> None:
        kept = self._exemplars.setdefault(category, [])
        if (
            len(kept) == self.max_exemplars > 0
            and type(place) is int
            and kept[-1].order < (0, place)
        ):
            return  # as for almost every one
        order = _order(place)
        if len(kept) >= self.max_exemplars and not (kept and order < kept[-1].order):
            return
        idx = order[1] if order[0] == 0 else order[2]
        insort(kept, _Exemplar(order, idx, self._preview(response)), key=_by_order)
        del kept[self.max_exemplars :]

    def _preview(self, response: Any) -> str:
        text = "" if response is None else response if isinstance(response, str) else str(response)
        cut = text if len(text) <= self.preview_chars else text[: self.preview_chars - 1] + "…"
        # A lone surrogate cannot be written to a file.
        return cut.encode("utf-8", "replace").decode("utf-8")


def _by_order(one: _Exemplar) -> tuple[int, int, str]:
    return one.order


def _order(place: Any) -> tuple[int, int, str]:
    if isinstance(place, int) and not isinstance(place, bool):
        return 0, place, ""
    return 1, 0, str(place).encode("utf-8", "replace").decode("utf-8")
