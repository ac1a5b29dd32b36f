"""Everything that a user can set and that shapes a score, and whether a judge is needed for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from steelyard.batch.own import find_scorer
from steelyard.batch.reference.folder import Entry
from steelyard.batch.reference.ids import number_of, year_of
from steelyard.batch.reference.own_metric import is_own, own_metric
from steelyard.doors import Judge
from steelyard.errors import DataError, SpecError
from steelyard.reference import FUZZY, Metric, bind_fuzzy, needs_judge
from steelyard.reference.document import CHECKLIST
from steelyard.reference.fuzzy import asks_judge


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How solutions are scored. ``fuzzy`` names a metric, or a function as ``file.py:function``.

    >>> Settings(fuzzy="exact", explanations=False).weight
    0.0
    """

    fuzzy: str = "llm"
    fuzzy_params: dict[str, Any] = {}
    explanation_weight: float = 0.5
    explanations: bool = True
    malformed: Literal["zero", "skip"] = "zero"
    compat: Literal["lobster"] | None = None

    @property
    def weight(self) -> float:
        """The share of the explanation, where explanations are judged."""
        return float(self.explanation_weight) if self.explanations else 0.0

    def check(self) -> None:
        """Refuse what could not score a single problem."""
        if not 0 <= self.explanation_weight <= 1:
            raise DataError(
                f"the explanation weight is {self.explanation_weight}; it must be from 0 to 1"
            )
        if self._asks_judge():
            FUZZY.get(self.fuzzy).bind(self.fuzzy_params)
        else:
            self.metric(None)

    def metric(self, judge: Judge | None) -> Metric:
        """The fuzzy metric, bound; without a judge, one that needs it is stood in for by ``exact``.

        Whether that one is ever asked is decided by ``refuse_without_judge`` before the first problem.
        """
        if self.is_own:
            return own_metric(self.fuzzy, self.fuzzy_params)
        if judge is None and self._asks_judge():
            return bind_fuzzy("exact")
        return bind_fuzzy(self.fuzzy, self.fuzzy_params, judge=judge)

    @property
    def is_own(self) -> bool:
        """Whether the metric is a function in a user's file."""
        return is_own(self.fuzzy)

    @property
    def is_stock(self) -> bool:
        """Whether the metric is one of ours, which take no time."""
        return not self.is_own and FUZZY.get(self.fuzzy).fn.__module__.startswith("steelyard.")

    def _asks_judge(self) -> bool:
        return not self.is_own and asks_judge(self.fuzzy)

    def as_dict(self) -> dict[str, Any]:
        """What a signature says of the settings; the metric with the version of its code."""
        metric = find_scorer(self.fuzzy) if self.is_own else FUZZY.get(self.fuzzy)
        return {
            "fuzzy": metric.name,
            "fuzzy_version": metric.version,
            "fuzzy_params": self.fuzzy_params,
            "explanations": self.explanations,
            "explanation_weight": self.weight,
            "malformed": self.malformed,
            "compat": self.compat,
        }

    def needs_judge(self, reference: dict[str, Any]) -> tuple[bool, bool]:
        """Whether a reference needs a judge for its entries, and for its explanation."""
        metric = "exact" if self.is_own else self.fuzzy  # neither asks a judge
        places = needs_judge(reference, fuzzy=metric, explanation_weight=self.weight)
        return any(place != CHECKLIST for place in places), CHECKLIST in places


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Which problems are asked for: all of them, or those that fit every kind of condition that is given.

    >>> Selection(years=(2003,)).takes("2003-1"), Selection(years=(2003,), numbers=(2,)).takes("2003-1")
    (True, False)
    """

    years: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()

    def takes(self, problem: str) -> bool:
        """Whether the problem is asked for."""
        return (
            (not self.years or year_of(problem) in self.years)
            and (not self.numbers or number_of(problem) in self.numbers)
            and (not self.ids or problem in self.ids)
        )

    def refuse_unknown(self, known: Iterable[str]) -> None:
        """A DataError for an id that no reference has, or where nothing at all fits."""
        there = set(known)
        for wanted in self.ids:
            if wanted not in there:
                raise DataError(f"--id {wanted}: there is no such reference")
        if not any(self.takes(problem) for problem in there):
            raise DataError("no reference fits --year, --number and --id together")


def refuse_without_judge(settings: Settings, references: Iterable[Entry]) -> None:
    """One line, before anything is scored, where a judge is needed and none is given."""
    needs = [settings.needs_judge(entry.value) for entry in references if not entry.fault]
    entries, explanations = sum(a for a, _ in needs), sum(b for _, b in needs)
    if not entries and not explanations:
        return
    why = [
        (entries, "fuzzy entries", "--fuzzy similarity (or exact)"),
        (explanations, "an explanation to judge", "--no-explanations"),
    ]
    told = " and ".join(f"{count} with {what}" for count, what, _ in why if count)
    flags = " and ".join(flag for count, _, flag in why if count)
    raise SpecError(
        f"a judge is needed for these references: {told}; give --judge FILE, or {flags}"
    )
