"""A reference solution as a spec: one dimension a question, one a criterion, with exact fractions as weights.

The spec carries its references, so evaluating needs no ground truth.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from steelyard.doors import Judge
from steelyard.errors import SpecError
from steelyard.primitives.values import describe
from steelyard.reference import Metric, ReferenceSolution, perfect_entry, read_reference_solution
from steelyard.reference.fuzzy import asks_judge, bind_fuzzy
from steelyard.reference.solution import (
    Entries,
    criterion_names,
    read_weight,
    score_answer,
    score_criterion,
    shares,
)
from steelyard.registry import nearest
from steelyard.score import Score, pending
from steelyard.spec.model import ENCODER, Dimension, Spec
from steelyard.spec.problems import Problems
from steelyard.spec.reading import plain
from steelyard.version import __version__

KEYS = ("reference_solution", "fuzzy", "fuzzy_params", "explanation_weight")
_WIDE = Context(prec=60)


def spec_from_reference(
    reference_solution: Mapping[str, Any],
    *,
    fuzzy: str = "llm",
    fuzzy_params: Mapping[str, Any] | None = None,
    explanation_weight: float = 0.5,
    judge: Judge | None = None,
) -> Spec:
    """The spec that scores solutions as ``score_solution`` does; a SpecError names every bad reference.

    Without a judge, what only a judge can say is pending. ``load_spec`` reads reference solutions too.

    >>> from steelyard.spec import evaluate
    >>> spec = spec_from_reference({"answer": {"1": "ka", "2": "lo", "3": "<select2,1,2>['a', 'b']"}})
    >>> [str(dimension.share) for dimension in spec.dimensions]
    ['1/3', '1/3', '1/3']
    >>> evaluate(spec, {"answer": {"1": "ka", "2": "xx", "3": ["b"]}}, None).score
    500
    """
    given = {
        "reference_solution": reference_solution,
        "fuzzy": fuzzy,
        "fuzzy_params": dict(fuzzy_params or {}),
        "explanation_weight": explanation_weight,
    }
    return compile_reference(given, Problems(), judge)


def compile_reference(
    given: Mapping[str, Any], problems: Problems, judge: Judge | None = None
) -> Spec:
    """The spec of a reference solution: the bare document, or one with the settings beside it."""
    whole = given if "reference_solution" in given else {"reference_solution": given}
    raw: dict[str, Any] = plain(whole, problems)
    for key in raw:
        if key not in KEYS:
            problems.add(key, f"is not known beside a reference solution{nearest(key, KEYS)}")
    problems.tell()
    found = read_reference_solution(raw["reference_solution"])
    for problem in found.problems:
        problems.add(problem.path, problem.message)
    weight, metric = _settings(raw, judge, problems)
    problems.tell()
    criteria = found.checklist if weight else ()
    each, criterion = shares(len(found.questions), len(criteria), weight)
    whole_weight = each * len(found.questions) + criterion * len(criteria)
    dimensions = [
        *_questions(found, metric, str(raw.get("fuzzy", "llm")), each / whole_weight),
        *_criteria(found, criteria, judge, criterion / whole_weight),
    ]
    asking = criteria or (
        asks_judge(metric or "llm") and any(r.is_fuzzy for r in found.references.values())
    )
    return Spec(
        type="judged" if asking else "deterministic",
        profile="free",
        name=found.id,
        dimensions=tuple(dimensions),
        order=tuple(range(len(dimensions))),
        source=ENCODER.encode(raw),
        perfect=_perfect(found),
    )


def _settings(
    raw: Mapping[str, Any], judge: Judge | None, problems: Problems
) -> tuple[Fraction, Metric | None]:
    """The weight of the explanation, and the metric unless it waits for a judge."""
    weight, metric = Fraction(1, 2), None
    fuzzy, params = raw.get("fuzzy", "llm"), raw.get("fuzzy_params", {})
    try:
        weight = read_weight(raw.get("explanation_weight", Decimal("0.5")))
        if not isinstance(fuzzy, str) or not isinstance(params, dict):
            raise SpecError(
                f"must be the name of a metric with an object of parameters, not {describe(fuzzy)}"
            )
        if judge is not None or not asks_judge(fuzzy):
            metric = bind_fuzzy(fuzzy, params, judge=judge)
    except SpecError as wrong:
        for path, message in wrong.problems:
            problems.add(path or "fuzzy", message)
    return weight, metric


def _questions(
    found: ReferenceSolution, metric: Metric | None, fuzzy: str, share: Fraction
) -> Iterator[Dimension]:
    for question, reference in found.references.items():
        said: dict[str, Any] = {"question": question, "reference": reference.source}
        version = __version__
        if reference.is_fuzzy:
            said |= {"fuzzy": fuzzy, **(metric.params if metric else {})}
            version = _version(metric.version, metric.judge) if metric else version
        run = functools.partial(_run_question, found=found, question=question, metric=metric)
        yield _dimension(
            _name(question, found),
            share,
            uses=f"reference.{reference.kind}",
            version=version,
            run=run,
            field="answer",
            params=MappingProxyType(said),
        )


def _name(question: str, found: ReferenceSolution) -> str:
    """The question's own name, unless it is that of the total."""
    name = question
    while name == "total" or (name != question and name in found.questions):
        name = f"answer.{name}"
    return name


def _criteria(
    found: ReferenceSolution, criteria: Sequence[str], judge: Judge | None, share: Fraction
) -> Iterator[Dimension]:
    for name, criterion in zip(criterion_names(found, len(criteria)), criteria, strict=True):
        said = {"criterion": criterion, "rules": found.rules}
        run = functools.partial(_run_criterion, judge=judge, criterion=criterion, rules=found.rules)
        yield _dimension(
            name,
            share,
            uses="reference.criterion",
            version=_version(__version__, judge),
            run=run,
            field="explanation",
            params=MappingProxyType(said),
        )


def _version(version: str, judge: Judge | None) -> str:
    """Whoever judges shapes the number."""
    return f"{version}+{judge.name}" if judge is not None else version


def _dimension(name: str, share: Fraction, **rest: Any) -> Dimension:
    return Dimension(
        name=name, weight=_weight(share), kind="primitive", reads="field", label=name, **rest
    )


def _weight(share: Fraction) -> int | Decimal | Fraction:
    """One spelling for each share: a decimal where it is one."""
    if share.denominator == 1:
        return share.numerator
    written = _WIDE.divide(Decimal(share.numerator), Decimal(share.denominator))
    return written if Fraction(written) == share else share


def _run_question(
    got: object, want: object, *, found: ReferenceSolution, question: str, metric: Metric | None
) -> Score:
    del want  # the reference is known
    entries = Entries({"answer": got})
    answered = entries.get(question)[1] is not None
    if answered and metric is None and found.references[question].is_fuzzy:
        return pending()
    return score_answer(found, question, entries, metric)


def _run_criterion(
    got: object, want: object, *, judge: Judge | None, criterion: str, rules: str
) -> Score:
    del want
    if judge is None:
        return pending()
    return score_criterion(judge, criterion, rules, got)


def _perfect(found: ReferenceSolution) -> Mapping[str, Any]:
    answer = {
        question: perfect_entry(reference) for question, reference in found.references.items()
    }
    return MappingProxyType({"answer": answer, "explanation": found.rules})
