"""What lint says of an explanation: rules and a checklist, both filled or both empty."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from steelyard.batch.reference.evidence import kind_of
from steelyard.batch.reference.findings import Found
from steelyard.batch.reference.lint_text import lint_text
from steelyard.values.compose import compose

RULES, CHECKLIST = "explanation.rules", "explanation.rule_checklist"
# A longer text says something.
_MAX_PLACEHOLDER = 100
_WORDS = frozenset(
    {
        "todo",
        "tbd",
        "tba",
        "fixme",
        "xx",
        "xxx",
        "n/a",
        "na",
        "none",
        "nil",
        "null",
        "placeholder",
        "empty",
        "fill in",
        "fill me in",
        "fill this in",
        "to be done",
        "to be added",
        "to be written",
        "to be filled in",
        "to be determined",
        "lorem ipsum",
        "test",
        "foo",
        "bar",
        "string",
        "text",
        "rules",
        "criteria",
        "checklist",
        "explanation",
        "...",
    }
)
_NUMBERED = re.compile(
    r"(?:rule|criterion|item|check|point|step)(?:[ _#:.-]*[0-9]+|[ _#-]+[a-z])?(?: (?:goes )?here)?"
)
_MARKED = re.compile(
    r"(?:todo|tbd|fixme)\b.*|(?:your|insert|add|write)\b.{0,40}\bhere|<[^<>]*>|\{[^{}]*\}|lorem ipsum.*"
)


def is_placeholder(text: str) -> bool:
    """Whether a text only keeps a place: nothing, punctuation, TODO, "rule 1".

    >>> is_placeholder("TODO"), is_placeholder("..."), is_placeholder("Plurals take -ma.")
    (True, True, False)
    """
    if not any(unicodedata.category(char)[0] in "LNS" for char in text):
        return True
    words = " ".join(text[:_MAX_PLACEHOLDER].lower().split()).strip(" .!?:…[]()*-")
    if len(text) >= _MAX_PLACEHOLDER:
        return False
    return words in _WORDS or any(known.fullmatch(words) for known in (_NUMBERED, _MARKED))


def lint_explanation(explanation: Any) -> Iterator[Found]:
    """What is wrong with the explanation of a reference.

    >>> [said for _, _, said, _ in lint_explanation({"rules": "", "rule_checklist": ["TODO"]})]
    ['the criterion is a placeholder', 'there is a checklist, but no rules to judge by']
    """
    if explanation is None:
        fix = 'write {"rules": "", "rule_checklist": []} where it is not judged'
        yield "warning", "explanation", "there is no explanation", fix
        return
    if not isinstance(explanation, dict):
        said = f"must be an object with rules and rule_checklist, not {kind_of(explanation)}"
        yield "error", "explanation", said, 'write {"rules": "…", "rule_checklist": ["…"]}'
        return
    rules, checklist = explanation.get("rules", ""), explanation.get("rule_checklist", [])
    if not isinstance(rules, str):
        yield (
            "error",
            RULES,
            f"must be a string, not {kind_of(rules)}",
            "write the gold-standard explanation",
        )
        rules = ""
    if not isinstance(checklist, list):
        yield (
            "error",
            CHECKLIST,
            f"must be a list of strings, not {kind_of(checklist)}",
            "write a list",
        )
        return
    yield from lint_text(RULES, rules)
    yield from _criteria(checklist)
    yield from _together(rules, checklist)


def _criteria(checklist: list[Any]) -> Iterator[Found]:
    seen: dict[str, int] = {}
    for place, criterion in enumerate(checklist):
        where = f"{CHECKLIST}[{place}]"
        if not isinstance(criterion, str):
            yield (
                "error",
                where,
                f"must be a string, not {kind_of(criterion)}",
                "write the criterion as text",
            )
            continue
        yield from lint_text(where, criterion)
        if not criterion.strip():
            yield (
                "error",
                where,
                "the criterion is empty",
                "write what an explanation must say, or remove it",
            )
        elif is_placeholder(criterion):
            yield (
                "error",
                where,
                "the criterion is a placeholder",
                "write what an explanation must say",
            )
        same = seen.setdefault(" ".join(compose(criterion).split()), place)
        if same != place and criterion.strip():
            yield (
                "warning",
                where,
                f"the same criterion as rule_checklist[{same}]",
                "keep one of them",
            )


def _together(rules: str, checklist: list[Any]) -> Iterator[Found]:
    if rules.strip() and is_placeholder(rules):
        yield "error", RULES, "the rules are a placeholder", "write the gold-standard explanation"
    if rules.strip() and not checklist:
        said = "the checklist is empty, so the explanation is not judged, though there are rules"
        yield "error", CHECKLIST, said, "write the criteria, or empty the rules as well"
    if checklist and not rules.strip():
        yield "error", RULES, "there is a checklist, but no rules to judge by", "write the rules"
    if not checklist and not rules.strip():
        said = "the explanation is not judged: rules and checklist are empty"
        yield "note", "explanation", said, "nothing, if that is meant"
