"""Problem files: ``answer_format`` is a JSON Schema for the answers, told and never scored."""

from __future__ import annotations

import functools
import itertools
import json
from typing import Any

from steelyard.errors import SpecError

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_MOST_ERRORS = 20
_LONGEST = 300
_BACKTRACKS = 100_000
# What stands under these keys is data, not schema.
_DATA = frozenset({"const", "enum", "default", "examples"})
# What stands under these is a schema for each name.
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
# Keywords of JSON Schema whose value can be an object; all others cannot be told from the name of a question.
_OBJECTS = _NAMED | frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "const",
        "contains",
        "contentSchema",
        "default",
        "dependencies",
        "dependentRequired",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
        "$vocabulary",
    }
)


def as_schema(answer_format: Any) -> Any:
    """The format as a JSON Schema: the published form is only the properties of one, a schema for each question.

    >>> as_schema({"1": {"type": "string"}})
    {'type': 'object', 'properties': {'1': {'type': 'string'}}}
    >>> as_schema({"properties": {"1": {"type": "string"}}})
    {'properties': {'1': {'type': 'string'}}}
    """
    if (
        not isinstance(answer_format, dict)
        or not answer_format
        or not _OBJECTS.isdisjoint(answer_format)
    ):
        return answer_format
    if all(isinstance(value, dict) for value in answer_format.values()):
        return {"type": "object", "properties": answer_format}
    return answer_format


def format_errors(answer: Any, answer_format: Any) -> tuple[str, ...]:
    """What in an answer does not fit its format, the first few; an unusable schema is a SpecError.

    >>> format_errors({"1": 2}, {"properties": {"1": {"type": "string"}}})
    ('$.1: 2 is not of type "string"',)
    """
    check = _compiled(_encoded(answer_format))
    try:
        found = list(itertools.islice(check.iter_errors(answer), _MOST_ERRORS))
    except UnicodeEncodeError:
        return ("$: a text holds half of a surrogate pair, which is no character",)
    except (ValueError, TypeError, OverflowError, RecursionError) as failed:
        return (f"$: the answer cannot be checked: {str(failed)[:_LONGEST]}",)
    return tuple(
        f"{_path(error.instance_path, answer)}: {error.message[:_LONGEST]}" for error in found
    )


def check_format(answer_format: Any) -> None:
    """A SpecError where the format is no JSON Schema that can be used."""
    _compiled(_encoded(answer_format))


def solution_schema(problem: dict[str, Any], *, strict: bool = False) -> dict[str, Any]:
    """The JSON Schema of a whole solution of the problem: its answer and its explanation.

    The ``id`` may stand in a solution too; where ``strict``, only what a model must write is in the schema,
    as structured output of model endpoints asks for.

    >>> sorted(solution_schema({"id": "2003-1", "answer_format": {"type": "object"}})["properties"])
    ['answer', 'explanation', 'id']
    """
    form = problem.get("answer_format")
    if form is None:
        raise SpecError("the problem has no 'answer_format'", path="answer_format")
    check_format(form)
    form = as_schema(form)
    draft = form.get("$schema", DRAFT) if isinstance(form, dict) else DRAFT
    properties: dict[str, Any] = {"answer": _embedded(form), "explanation": {"type": "string"}}
    if not strict and "id" in problem:
        properties = {"id": {"const": problem["id"]}, **properties}
    whole = {
        "$schema": draft,
        "type": "object",
        "properties": properties,
        "required": ["answer", "explanation"],
        "additionalProperties": False,
    }
    check_format(whole)
    return whole


def _embedded(form: Any) -> Any:
    """The schema one level down: what pointed at its root must point there still."""
    if not isinstance(form, dict):
        return form
    inner = {key: value for key, value in form.items() if key != "$schema"}
    return inner if "$id" in inner else _moved(inner)


def _moved(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_moved(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: value if key in _DATA else _moved_ref(key, value) for key, value in schema.items()}


def _moved_ref(key: str, value: Any) -> Any:
    if key in _NAMED and isinstance(value, dict):
        return {name: _moved(inner) for name, inner in value.items()}
    if (
        key in {"$ref", "$dynamicRef"}
        and isinstance(value, str)
        and (value == "#" or value.startswith("#/"))
    ):
        return "#/properties/answer" + value[1:]
    return _moved(value)


def _path(steps: list[str | int], value: Any) -> str:
    """Where in the value; the validator tells a key of digits as if it were a place in a list."""
    path = "$"
    for step in steps:
        if isinstance(value, dict):
            value = value.get(str(step))
            path += f".{step}"
        else:
            value = value[step] if isinstance(value, list) and isinstance(step, int) else None
            path += f"[{step}]"
    return path


def _encoded(schema: Any) -> str:
    """The format as the text of a JSON Schema."""
    if not isinstance(schema, (bool, dict)):
        raise SpecError(f"must be a JSON Schema, not {type(schema).__name__}", path="answer_format")
    try:
        return json.dumps(as_schema(schema), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as failed:
        raise SpecError(f"is not JSON: {str(failed)[:_LONGEST]}", path="answer_format") from None


@functools.lru_cache(maxsize=1024)
def _compiled(encoded: str) -> Any:
    import jsonschema_rs

    schema = json.loads(encoded)
    try:
        return _built(schema, jsonschema_rs.RegexOptions())
    except SpecError:
        # A pattern may need what only a backtracking engine has; that one gets a limit.
        return _built(schema, jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS))


def _built(schema: Any, patterns: Any) -> Any:
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for(schema, retriever=_refuse, pattern_options=patterns)
    except (ValueError, TypeError, RecursionError, jsonschema_rs.ReferencingError) as failed:
        said = str(failed).splitlines()[0][:_LONGEST] if str(failed) else type(failed).__name__
        raise SpecError(
            f"is not a JSON Schema that can be used: {said}", path="answer_format"
        ) from None


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is outside of the schema: nothing is fetched while scoring")
