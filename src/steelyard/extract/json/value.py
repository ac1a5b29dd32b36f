"""The one JSON value that is the answer, among prose, fences and stray braces."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from steelyard.extract.found import Found, Trace
from steelyard.extract.json.number import exact_number
from steelyard.extract.json.place import places, seen
from steelyard.registry import EXTRACTORS
from steelyard.text.late import late
from steelyard.text.visible import unquoted

MAX_DEPTH = 200
MAX_CHARS = 4_000_000
_SPARE = 100  # examples; more is not an answer but an attack
# {"a": 1} or {"a": 2}
_OFFERED = late(r"[}\]][\s`*]{0,3}(?:\bor\b|/)[\s`*]{0,3}\Z", re.IGNORECASE)
_OFFERS = late(r"[\s`*]{0,3}(?:\bor\b|/)[\s`*]{0,3}[\[{]", re.IGNORECASE)


class _RefusedError(ValueError):
    """The text is not JSON, or not JSON that can be kept; the latter is worth telling."""

    def __init__(self, why: str, *, kept_out: bool = False) -> None:
        super().__init__(why)
        self.kept_out = kept_out


def extract_json(text: str) -> Any:
    """The JSON value that is the answer in the text, or None.

    A number is a float, or an exact Decimal where no float has the decimals that are written.

    >>> extract_json('Sure! {"answer": "42"} as in [1].')
    {'answer': '42'}
    >>> extract_json('Answer: {"a": 1}, in the format {"a": 0}.')
    {'a': 1}
    >>> extract_json("no value here")
    """
    found = find_json(text)
    return None if found is None else found.value


@EXTRACTORS.register("json")
def find_json(text: str, *, trace: Trace | None = None) -> Found | None:
    """The JSON value that is the answer, where it stands, and by which stage it was found.

    The whole text if it is JSON; else the value right after the last mark of an answer ("Answer:", "the answer is"),
    unless a correction follows; else the last fenced block that is JSON, one marked as JSON first; else the last object, or
    array with objects, in the prose; else the last other array. A value that is introduced as an example or as a format
    ("for example", "the format is"), as what went in or was said before, or as what is faulty ("the wrong ones are"), is taken
    only where there is no other, and so is an empty one; one that is said to be wrong ("not", "rather than", "a wrong answer
    would be") is not taken. What stands in a JSON string is text, whatever it looks like.

    >>> find_json('```json\\n[{"a": 1}]\\n```').stage
    'fence'
    >>> find_json('Answer: {"a": 1}\\nFor example, {"a": 0} has none.').value
    {'a': 1}
    """
    if not isinstance(text, str) or len(text) > MAX_CHARS:
        _note(trace, f"nothing found: the response is no text of at most {MAX_CHARS} characters")
        return None
    if "\n>" in text:
        text = unquoted(text)  # in JSON no line begins with that mark
    found = _first(text, trace)
    if found is not None and _is_offered(text, found):
        _note(trace, "nothing found: two values are offered")
        return None
    if found is None:
        _note(trace, "nothing found: no JSON value stands in the response")
    return found


def why_none(text: str) -> str:
    """Why no JSON value is taken from a text that has none, or one that cannot be kept.

    >>> why_none('{"a": NaN}'), why_none("no")
    ('NaN is not JSON', '')
    """
    trace = Trace()
    find_json(text, trace=trace)
    told = [step.note for step in trace.steps if step.note.startswith("kept out: ")]
    return told[0].removeprefix("kept out: ") if told else ""


def _is_offered(text: str, found: Found) -> bool:
    start, end = found.span
    if found.stage == "mark" and _OFFERS.match(text, end):
        return True
    return (
        found.stage in {"prose", "mark"}
        and _OFFERED.search(text, max(0, start - 12), start) is not None
    )


def _first(text: str, trace: Trace | None) -> Found | None:
    spare: list[Found] = []
    for stage, span, is_example in places(text, *seen(text)):
        try:
            value = _parse(text[slice(*span)])
        except _RefusedError as refused:
            if trace is not None and (stage != "whole" or refused.kept_out):
                trace.add(
                    stage, f"{'kept out' if refused.kept_out else 'passed over'}: {refused}", span
                )
            continue
        if stage not in {"whole", "fence"} and not isinstance(value, (dict, list)):
            continue
        found = Found(value, span, stage)
        if stage in {"whole", "mark"} or (value not in ({}, []) and not is_example):
            return _noted(found, trace)
        spare.append(found)
        if len(spare) == _SPARE or (stage == "prose" and value in ({}, [])):
            break  # in the prose nothing but empty ones follows an empty one
    return _noted(spare[0], trace) if spare else None


def _noted(found: Found, trace: Trace | None) -> Found:
    if trace is not None:
        trace.add(found.stage, f"found {type(found.value).__name__}", found.span)
    return found


def _note(trace: Trace | None, note: str) -> None:
    if trace is not None:
        trace.add("json", note)


def _parse(text: str) -> Any:
    """The value of strict JSON; NaN, a number of very many digits, and too deep a nesting are refused."""
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise _RefusedError(f"nested deeper than {MAX_DEPTH}", kept_out=True) from None
    except json.JSONDecodeError as refused:
        raise _RefusedError(str(refused)) from None
    except ValueError as refused:
        raise _RefusedError(str(refused), kept_out=True) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _deeper(value, MAX_DEPTH):
        raise _RefusedError(f"nested deeper than {MAX_DEPTH}", kept_out=True)
    return value


def _deeper(value: Any, limit: int) -> bool:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        children = (
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
        )
        level = [child for child in children if isinstance(child, (dict, list))]
    return bool(level)


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(
            f"the number {digits[:40]}… of {len(digits)} digits is too long to be kept"
        ) from None


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=exact_number, parse_int=_integer)
