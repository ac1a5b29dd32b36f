"""Scoring a whole solution: one part a question, one part a criterion of the explanation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from steelyard.doors import Judge
from steelyard.errors import SpecError
from steelyard.primitives.values import describe, number
from steelyard.reference.compat import lobster_solution
from steelyard.reference.document import ReferenceSolution, needs_judge, read_reference_solution
from steelyard.reference.fuzzy import Metric, bind_fuzzy, judged
from steelyard.reference.match import Compat, Fuzzy, check_compat, exact_value, match_entry
from steelyard.score import Part, Score, exact, unscored, zero
from steelyard.values.compose import compose

_SHOWN_PROBLEMS = 5


def score_solution(
    solution: object,
    reference_solution: object,
    *,
    judge: Judge | None = None,
    fuzzy: Fuzzy = "llm",
    fuzzy_params: Mapping[str, Any] | None = None,
    explanation_weight: float = 0.5,
    compat: Compat | None = None,
) -> Score:
    """The Score of a solution: answer × (1 − w) + explanation × w, or the answer alone where none is judged.

    The parts are the questions in the reference's order, then the criteria. Their weights are whole numbers in
    the right proportion, so ``weigh(score.parts)`` gives the same value. ``detail`` has the two means.

    Nothing in the two documents makes it raise. A missing or malformed answer is 0. A question whose reference
    cannot be read is struck: its part has no value and no weight, the others decide, and ``detail["problems"]``
    names it. Where a judge fails, its part and the whole have no value. A judge that is needed and not given is
    a SpecError before anything is scored.

    >>> reference = {"id": "2003-1", "answer": {"1": "ka", "2": "<select2,1,2>['lo', 'mi']"},
    ...              "explanation": {"rules": "", "rule_checklist": []}}
    >>> score = score_solution({"id": "2003-1", "answer": {"1": "ka", "2": ["mi"]}, "explanation": ""}, reference)
    >>> score.value, [part.score.value for part in score.parts]
    (0.75, [1.0, 0.5])
    """
    weight = read_weight(explanation_weight)
    check_compat(compat)
    found = read_reference_solution(reference_solution)
    metric = _bind(found, fuzzy, fuzzy_params, judge, weight)
    entries = Entries(solution)
    answers = [score_answer(found, name, entries, metric) for name in found.questions]
    explained = [] if weight == 0 else _explanation(found, solution, judge)
    whole = combine(found, answers, explained, weight)
    if compat is None:
        return whole
    document = reference_solution if isinstance(reference_solution, Mapping) else _document(found)
    return lobster_solution(solution, document, whole, float(weight))


def _document(found: ReferenceSolution) -> dict[str, Any]:
    """A reference solution that has been read, as it was written."""
    answer = {
        name: found.references[name].source if name in found.references else ""
        for name in found.questions
    }
    explanation = {"rules": found.rules, "rule_checklist": list(found.checklist)}
    return {"id": found.id, "answer": answer, "explanation": explanation}


def read_weight(given: object) -> Fraction:
    """The weight of the explanation as it is written; what is not a number from 0 to 1 is a SpecError.

    >>> read_weight(0.1)
    Fraction(1, 10)
    """
    weight = number(given)
    if weight is None or not 0 <= weight <= 1:
        raise SpecError(
            f"must be a number from 0 to 1, not {describe(given)}", path="explanation_weight"
        )
    return exact(weight)


def _bind(
    found: ReferenceSolution,
    fuzzy: Fuzzy,
    params: Mapping[str, Any] | None,
    judge: Judge | None,
    weight: Fraction,
) -> Metric | None:
    """The metric where one is used; whoever needs a judge and has none is told so before anything is scored."""
    asking = needs_judge(found, fuzzy=fuzzy, explanation_weight=float(weight))
    if judge is None and "explanation.rule_checklist" in asking:
        raise SpecError("the explanation needs a judge: give one, or set explanation_weight to 0")
    if any(reference.is_fuzzy for reference in found.references.values()):
        return bind_fuzzy(fuzzy, params, judge=judge)
    return None


class Entries:
    """A solution's entries by question; the question's name may be written in another Unicode form."""

    def __init__(self, solution: object) -> None:
        self.fault = ""
        self._answer: Mapping[Any, Any] = {}
        if not isinstance(solution, Mapping):
            self.fault = f"the solution is {describe(solution)}; an object is needed"
        elif "answer" not in solution:
            self.fault = "the solution has no answer"
        elif not isinstance(solution["answer"], Mapping):
            self.fault = (
                f"the solution's answer is {describe(solution['answer'])}; an object is needed"
            )
        else:
            self._answer = solution["answer"]
        self._composed: dict[str, Any] | None = None

    def get(self, question: str) -> tuple[bool, object]:
        """Whether the question is answered, and the entry."""
        if question in self._answer:
            return True, self._answer[question]
        if self._composed is None:
            self._composed = {
                compose(name): entry
                for name, entry in self._answer.items()
                if isinstance(name, str)
            }
        name = compose(question)
        return name in self._composed, self._composed.get(name)


def score_answer(
    found: ReferenceSolution, question: str, entries: Entries, metric: Metric | None = None
) -> Score:
    """The Score of one question; a metric is needed where its reference is fuzzy."""
    reference = found.references.get(question)
    if reference is None:
        return unscored(
            f"the reference cannot be read: {found.problem(question)}", detail={"struck": True}
        )
    answered, entry = entries.get(question)
    if not answered or entry is None:
        why = entries.fault or (
            "the answer is null" if answered else "the question is not answered"
        )
        return zero(why, detail={"matching": reference.kind, "missing": True})
    return match_entry(reference, entry, fuzzy=metric or "exact", question=question)


def _explanation(found: ReferenceSolution, solution: object, judge: Judge | None) -> list[Score]:
    if not found.checklist or judge is None:
        return []
    text = solution.get("explanation") if isinstance(solution, Mapping) else None
    return [score_criterion(judge, criterion, found.rules, text) for criterion in found.checklist]


def score_criterion(judge: Judge, criterion: str, rules: str, text: object) -> Score:
    """Whether an explanation meets one criterion; without an explanation the judge is not asked."""
    if not isinstance(text, str):
        score = zero(
            "there is no explanation"
            if text is None
            else f"the explanation is {describe(text)}; a string is needed"
        )
    elif not text.strip():
        score = zero("the explanation is empty")
    else:
        score = judged(judge, lambda: judge.criterion(criterion, rules, text))
    return msgspec.structs.replace(score, detail={**score.detail, "criterion": criterion})


def combine(
    found: ReferenceSolution, answers: Sequence[Score], explained: Sequence[Score], weight: Fraction
) -> Score:
    """The whole from its parts, with exact fractions; the fraction becomes a float once, at the end."""
    counted = [name in found.references for name in found.questions]
    each, criterion = shares(sum(counted), len(explained), weight)
    weights = {True: float(each), False: 0.0}
    parts = [
        Part(name=name, score=score, weight=weights[counts])
        for name, score, counts in zip(found.questions, answers, counted, strict=True)
    ]
    names = criterion_names(found, len(explained))
    parts += [
        Part(name=name, score=score, weight=float(criterion))
        for name, score in zip(names, explained, strict=True)
    ]
    answer = mean([score for score, counts in zip(answers, counted, strict=True) if counts])
    explanation = mean(explained)
    value = answer
    if answer is not None and explained:
        value = None if explanation is None else answer * (1 - weight) + explanation * weight
    detail: dict[str, Any] = {
        "answer": _float(answer),
        "explanation": _float(explanation),
        "explanation_weight": float(weight) if explained else 0.0,
    }
    if found.problems:
        detail["problems"] = [str(problem) for problem in found.problems]
    waits = any(part.score.pending for part in parts)
    return Score(
        value=_float(value),
        correct=value == 1,
        parts=tuple(parts),
        detail=detail,
        reason=_reason(found, parts, detail),
        pending=value is None and waits,
    )


def criterion_names(found: ReferenceSolution, count: int) -> list[str]:
    """Names for the criteria that no question has."""
    word = "criterion"
    while any(question.startswith(word) for question in found.questions):
        word = f"rule {word}"
    return [f"{word} {i}" for i in range(1, count + 1)]


def shares(questions: int, criteria: int, weight: Fraction) -> tuple[Fraction, Fraction]:
    """The weight of each question and of each criterion, as whole numbers in the right proportion.

    >>> shares(3, 2, Fraction(1, 2)), shares(3, 0, Fraction(1, 2))
    ((Fraction(2, 1), Fraction(3, 1)), (Fraction(1, 1), Fraction(0, 1)))
    """
    if not questions or not criteria:
        return Fraction(1), Fraction(0)
    each, criterion = (1 - weight) / questions, weight / criteria
    common = math.lcm(each.denominator, criterion.denominator)
    whole = math.gcd(int(each * common), int(criterion * common))
    return each * common / whole, criterion * common / whole


def mean(scores: Sequence[Score]) -> Fraction | None:
    """The exact mean; None where there is nothing, or something has no value."""
    numerators: dict[int, int] = {}  # by denominator, of which there are few
    for score in scores:
        value = exact_value(score)
        if value is None:
            return None
        numerators[value.denominator] = numerators.get(value.denominator, 0) + value.numerator
    total = sum((Fraction(n, denominator) for denominator, n in numerators.items()), Fraction(0))
    return total / len(scores) if scores else None


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _reason(found: ReferenceSolution, parts: Sequence[Part], detail: Mapping[str, Any]) -> str:
    if not found.references:
        said = "; ".join(map(str, found.problems[:_SHOWN_PROBLEMS]))
        return f"the reference solution cannot be read: {said}"
    missing = next(
        (
            part
            for part in parts
            if part.score.value is None and not part.score.detail.get("struck")
        ),
        None,
    )
    if missing is not None:
        return f"{missing.name}: {missing.score.reason}"
    said = f"answer {detail['answer']:.4g}"
    if detail["explanation"] is not None:
        said += (
            f", explanation {detail['explanation']:.4g} at weight {detail['explanation_weight']:g}"
        )
    struck = [part.name for part in parts if part.score.value is None]
    if struck:
        said += f"; struck, because the reference cannot be read: {', '.join(map(repr, struck[:_SHOWN_PROBLEMS]))}"
    return said
