"""A whole reference solution: its questions, its explanation, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.errors import Problem, SpecError
from steelyard.primitives.values import describe
from steelyard.reference.fuzzy import asks_judge
from steelyard.reference.match import Fuzzy
from steelyard.reference.notation import Reference, parse_reference

# Where the criteria of an explanation stand.
CHECKLIST = "explanation.rule_checklist"


class ReferenceSolution(msgspec.Struct, frozen=True, kw_only=True):
    """What could be read of a reference solution; ``problems`` names the rest, with paths.

    A question whose reference cannot be read has no entry in ``references``, but is among the ``questions``.
    """

    id: str = ""
    questions: tuple[str, ...] = ()
    references: dict[str, Reference] = {}
    rules: str = ""
    checklist: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def problem(self, question: str) -> str:
        """Why a question's reference cannot be read."""
        path = answer_path(question)
        return next((problem.message for problem in self.problems if problem.path == path), "")


def answer_path(question: str) -> str:
    """Where a question's reference stands.

    >>> answer_path("1a")
    'answer.1a'
    """
    return f"answer.{question}"


def read_reference_solution(document: object) -> ReferenceSolution:
    """The reference solution in a JSON document; nothing in it makes this raise.

    >>> found = read_reference_solution({"id": "2003-1", "answer": {"1": "ka", "2": "<select1,2>['a']"}})
    >>> list(found.references), [str(problem) for problem in found.problems]
    (['1'], ["answer.2: the tag '<select1,2>' needs three numbers: <select{reflen},{minlen},{maxlen}>"])
    """
    if isinstance(document, ReferenceSolution):
        return document
    if not isinstance(document, Mapping):
        said = f"a reference solution is an object, not {describe(document)}"
        return ReferenceSolution(problems=(Problem("", said),))
    problems: list[Problem] = []
    questions, references = _read_answer(document, problems)
    rules, checklist = _read_explanation(document.get("explanation"), problems)
    named = document.get("id")
    return ReferenceSolution(
        id=named if isinstance(named, str) else "",
        questions=tuple(questions),
        references=references,
        rules=rules,
        checklist=tuple(checklist),
        problems=tuple(problems),
    )


def _read_answer(
    document: Mapping[Any, Any], problems: list[Problem]
) -> tuple[list[str], dict[str, Reference]]:
    answer = document.get("answer")
    if not isinstance(answer, Mapping) or not answer:
        given = (
            "missing" if "answer" not in document else "empty" if answer == {} else describe(answer)
        )
        problems.append(
            Problem("answer", f"must be an object with a reference for each question, not {given}")
        )
        return [], {}
    references: dict[str, Reference] = {}
    for question, text in answer.items():
        if not isinstance(question, str):
            problems.append(
                Problem("answer", f"has the key {describe(question)}, which is not a string")
            )
            continue
        try:
            references[question] = parse_reference(text)
        except SpecError as wrong:
            problems += [
                Problem(answer_path(question), problem.message) for problem in wrong.problems
            ]
    return [question for question in answer if isinstance(question, str)], references


def _read_explanation(explanation: object, problems: list[Problem]) -> tuple[str, list[str]]:
    """The rules and the criteria; an explanation that is empty or missing is not judged."""
    if explanation is None or explanation in ("", {}):
        return "", []
    if not isinstance(explanation, Mapping):
        said = f"must be an object with rules and rule_checklist, not {describe(explanation)}"
        problems.append(Problem("explanation", said))
        return "", []
    rules = explanation.get("rules")
    if not isinstance(rules, str) and rules is not None:
        problems.append(Problem("explanation.rules", f"must be a string, not {describe(rules)}"))
    criteria = explanation.get("rule_checklist")
    if not isinstance(criteria, (list, tuple)):
        if criteria is not None:
            problems.append(Problem(CHECKLIST, f"must be an array, not {describe(criteria)}"))
        criteria = []
    return rules if isinstance(rules, str) else "", list(_criteria(criteria, problems))


def _criteria(given: Any, problems: list[Problem]) -> list[str]:
    found = []
    for place, criterion in enumerate(given):
        if isinstance(criterion, str) and criterion.strip():
            found.append(criterion)
        else:
            what = "empty" if isinstance(criterion, str) else describe(criterion)
            problems.append(
                Problem(f"{CHECKLIST}[{place}]", f"must be a criterion in words, not {what}")
            )
    return found


def needs_judge(
    reference_solution: object, *, fuzzy: Fuzzy = "llm", explanation_weight: float = 0.5
) -> tuple[str, ...]:
    """The places of a reference solution for which a judge would be asked, so that a run can refuse in time.

    >>> needs_judge({"answer": {"1": "ka", "2": "<fuzzy>a dog"}})
    ('answer.2',)
    """
    found = read_reference_solution(reference_solution)
    places = []
    if asks_judge(fuzzy):
        places += [
            answer_path(name) for name, reference in found.references.items() if reference.is_fuzzy
        ]
    if found.checklist and explanation_weight:
        places.append(CHECKLIST)
    return tuple(places)
