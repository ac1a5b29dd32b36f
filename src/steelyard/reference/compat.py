"""The profile ``lobster``: the numbers of that benchmark's published evaluator, for whoever must reproduce them.

It differs from the default on purpose, and only where no judge is asked:

- no NFC and no stripping; of an exact reference only the solver's side is normalised, so that a reference with
  brackets or a final full stop does not match itself;
- select: both lists are sets, and the penalty may be negative: one wrong item where three are wanted earns two thirds;
- ``inf`` is 20;
- where that evaluator breaks off (an item that is no string, an entry of which nothing is left, an apostrophe in
  a reference's list) there is no number to reproduce, and the entry is unscored;
- questions are looked up as they are written, in one Unicode form only;
- a solution that is missing, or has no explanation that is a string, is left out of its mean.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from steelyard.errors import SpecError
from steelyard.primitives.values import describe
from steelyard.reference.notation import Kind, Reference, parse_reference
from steelyard.score import Part, Score, full, unscored, zero

INFINITY = 20
_FUZZY = "<fuzzy>"


def lobster_entry(reference: Reference, entry: object) -> Score:
    """The published evaluator's score of an entry with an exact or a select reference.

    >>> from steelyard.reference import parse_reference
    >>> lobster_entry(parse_reference("<select3,1,3>['a', 'b', 'c']"), ["x"]).value
    0.6666666666666666
    >>> lobster_entry(parse_reference("[ka]"), "[ka]").value
    0.0
    """
    detail = {"matching": reference.kind, "compat": "lobster"}
    if _kind(reference.source) != reference.kind:
        return unscored(
            "the published evaluator reads this reference in another way", detail=detail
        )
    if reference.is_select and _reference_items(reference) is None:
        return unscored(
            "the published evaluator cannot read the list of this reference", detail=detail
        )
    if entry is None:
        return zero("there is no answer", detail=detail)
    if reference.kind == "exact":
        return _exact(reference, entry, detail)
    return _select(reference, entry, detail)


def _exact(reference: Reference, entry: object, detail: dict[str, str]) -> Score:
    if not isinstance(entry, str):
        return zero(f"expected a string, got {describe(entry)}", detail=detail)
    normal = _normal(entry)
    if normal is None:
        return _no_number(entry, detail)
    if normal == reference.source:
        return full("the normalised answer is the reference as it is written", detail=detail)
    return zero(f"expected {describe(reference.source)}, got {describe(normal)}", detail=detail)


def _select(reference: Reference, entry: object, detail: dict[str, str]) -> Score:
    if not isinstance(entry, (str, list)):
        return zero(f"expected a list or a string, got {describe(entry)}", detail=detail)
    sets: list[set[str]] = []
    for items in ([entry] if isinstance(entry, str) else entry, _reference_items(reference) or ()):
        sets.append(set())
        for item in items:
            normal = _normal(item) if isinstance(item, str) else None
            if normal is None:
                return _no_number(item, detail)
            sets[-1].add(normal)
    given, wanted = sets
    return _count(reference, len(given), len(given & wanted), detail)


def _count(reference: Reference, n: int, hits: int, detail: dict[str, str]) -> Score:
    maxlen = INFINITY if reference.maxlen == math.inf else reference.maxlen
    reflen = reference.reflen
    if not reference.minlen <= n <= maxlen:
        return zero(
            f"{n} items are given; {reference.minlen} to {maxlen} are allowed", detail=detail
        )
    earned = max(0, min(hits, reflen) - (n - reflen))
    said = f"{min(hits, reflen)} of {reflen}, and {n - reflen} taken off for {n} items"
    counted = {**detail, "earned": earned, "of": reflen, "given": n, "right": hits}
    return Score(value=earned / reflen, correct=earned == reflen, reason=said, detail=counted)


def _normal(text: str) -> str | None:
    """That evaluator's normal form; None where it breaks off."""
    if not text:
        return ""
    for name in ("sg", "du", "pl"):
        text = text.replace(f"_{{{name}}}", f"({name})").replace(f" ({name})", f"({name})")
    for mark in ("[", "]", "**", "_"):
        text = text.replace(mark, "")
    if not text:
        return None
    text = text.removesuffix(".")
    return text.lower() if len(text) == 1 and text.isupper() else text


def _kind(source: str) -> Kind:
    """The type of a reference as that evaluator tells it: by what the text begins with, <fuzzy> first."""
    fuzzy = source.startswith(_FUZZY)
    if source.removeprefix(_FUZZY).startswith("<select"):
        return "fuzzy_select" if fuzzy else "select"
    return "fuzzy" if fuzzy else "exact"


def _reference_items(reference: Reference) -> list[Any] | None:
    """The reference's list as that evaluator reads it: every apostrophe is a quote."""
    written = reference.source.removeprefix(_FUZZY).partition(">")[2]
    try:
        found: list[Any] = json.loads(written.replace("'", '"'))
    except (ValueError, RecursionError):
        return None
    return found


def _no_number(item: object, detail: dict[str, str]) -> Score:
    return unscored(f"the published evaluator breaks off at {describe(item)}", detail=detail)


def lobster_solution(
    solution: object, reference_solution: Mapping[str, Any], ours: Score, weight: float
) -> Score:
    """The published evaluator's score of a whole solution; None where it has none, or leaves it out of its mean.

    ``ours`` is our own Score of the same solution: what a judge or a fuzzy metric said is taken over from it. A
    solution that is missing or cannot be read is None.

    >>> from steelyard.reference import score_solution
    >>> wanted = {"answer": {"1": "ka"}, "explanation": {"rules": "", "rule_checklist": []}}
    >>> lobster_solution({"answer": {"1": "ka"}}, wanted, score_solution({}, wanted), 0.5).reason
    "left out: that evaluator takes a solution without a string as its 'explanation' for invalid"
    """
    why = _left_out(solution, reference_solution)
    if why or not isinstance(solution, Mapping):
        return unscored(why, detail={"compat": "lobster"})
    given = solution["answer"]
    texts = {
        name: text for name, text in reference_solution["answer"].items() if isinstance(name, str)
    }
    known = {part.name: part.score for part in ours.parts[: len(texts)]}
    answers = {name: _entry(text, given.get(name), known.get(name)) for name, text in texts.items()}
    criteria = reference_solution["explanation"]["rule_checklist"] if weight else []
    explained = [part.score for part in ours.parts[len(texts) :]]
    if len(explained) != len(criteria):
        return unscored(
            "a criterion that it asks about was not judged", detail={"compat": "lobster"}
        )
    return _whole(answers, explained, weight)


def _left_out(solution: object, reference_solution: Mapping[str, Any]) -> str:
    """Why a solution does not come into that evaluator's mean, before an entry is looked at."""
    if not isinstance(solution, Mapping):
        return "left out: there is no solution that it could read"
    if "answer" not in solution:
        return "left out: that evaluator takes a solution without 'answer' for invalid"
    if not isinstance(solution.get("explanation"), str):
        return "left out: that evaluator takes a solution without a string as its 'explanation' for invalid"
    if "id" in solution and solution["id"] != reference_solution.get("id"):
        return "left out: the id is not written as in the reference"
    if not isinstance(solution["answer"], Mapping):
        return f"the published evaluator breaks off: the answer is {describe(solution['answer'])}"
    if (
        not isinstance(reference_solution.get("answer"), Mapping)
        or not reference_solution["answer"]
    ):
        return "the published evaluator breaks off: the reference has no answer"
    explanation = reference_solution.get("explanation")
    if not isinstance(explanation, Mapping) or not isinstance(
        explanation.get("rule_checklist"), list
    ):
        return "the published evaluator breaks off: the reference has no rule_checklist"
    return ""


def _entry(text: object, entry: object, ours: Score | None) -> Score:
    try:
        reference = parse_reference(text)  # type: ignore[arg-type]
    except SpecError:
        return unscored("a reference that cannot be read here is not scored as there")
    if not reference.is_fuzzy:
        return lobster_entry(reference, entry)
    without = lobster_entry(
        reference, None
    )  # no value where that evaluator cannot read the reference
    return without if entry is None or without.value is None or ours is None else ours


def _whole(answers: Mapping[str, Score], explained: list[Score], weight: float) -> Score:
    share = weight if explained else 0.0
    parts = [
        Part(name=name, score=score, weight=(1 - share) / len(answers))
        for name, score in answers.items()
    ]
    parts += [
        Part(name=f"criterion {n}", score=score, weight=share / len(explained))
        for n, score in enumerate(explained, 1)
    ]
    answer, explanation = _mean(answers.values()), _mean(explained)
    detail = {
        "compat": "lobster",
        "answer": answer,
        "explanation": explanation,
        "explanation_weight": share,
    }
    if weight == 1 and not explained:
        return Score(
            value=None,
            correct=False,
            parts=tuple(parts),
            detail=detail,
            reason="left out: neither answer nor explanation is judged there",
        )
    # At weight 1 the answers are not looked at, so that nothing in them breaks it off.
    value = explanation if weight == 1 else answer
    if explained and value is not None and weight != 1:
        value = None if explanation is None else value * (1 - weight) + explanation * weight
    missing = next((part for part in parts if part.score.value is None), None)
    reason = f"{missing.name}: {missing.score.reason}" if value is None and missing else ""
    return Score(value=value, correct=value == 1, parts=tuple(parts), detail=detail, reason=reason)


def _mean(scores: Iterable[Score]) -> float | None:
    values = [score.value for score in scores]
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None
