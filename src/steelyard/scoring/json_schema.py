"""Structured answers: the JSON value in a response, held against a JSON Schema."""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.reading.found import Found, Trace
from steelyard.reading.json_values import exact_number, extract_json, find_json, why_none, writable
from steelyard.registry import SCORERS
from steelyard.score import Readable, Score, full, zero
from steelyard.scoring.schema_patterns import where_giving_up_pays
from steelyard.scoring.types import ScorerInput

__all__ = ["SchemaResult", "extract_json", "json_schema", "validate_json_schema"]

_MOST_ERRORS = 20
_LONGEST = 300
_BACKTRACKS = 100_000
_HALF = re.compile("[\ud800-\udfff]")
_MAY_BE_HALF = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
_GIVEN_UP = frozenset({"BacktrackLimitExceeded", "RegexEngineFailure"})
_NO_MATCH = "the text does not match a pattern: a match was looked for in as many ways as are allowed, and given up"


class SchemaResult(Readable, msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What became of a text: whether its value fits the schema, and why not if it does not.

    It also reads as a mapping; ``errors`` is a key of it where there are some. ``extracted`` can be written as JSON:
    a number that no float can hold is given as its digits, as text.

    >>> result = validate_json_schema('{"answer": "42"}', schema={"type": "object", "required": ["answer"]})
    >>> dict(result)
    {'valid': True, 'extracted': {'answer': '42'}, 'score': 1.0}
    """

    valid: bool
    extracted: Any
    errors: tuple[str, ...] = ()
    span: tuple[int, int] | None = None

    @property
    def score(self) -> float:
        """1 where the value fits, else 0."""
        return 1.0 if self.valid else 0.0

    def keys(self) -> list[str]:
        """The keys of the mapping."""
        return ["valid", "extracted", *(["errors"] if self.errors else []), "score"]

    def __getitem__(self, key: str) -> Any:
        if key == "errors":
            return list(self.errors)
        if key in {"valid", "extracted", "score"}:
            return getattr(self, key)
        raise KeyError(key)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.valid, self.errors, self.span))


def validate_json_schema(text: str, schema: Any, *, trace: Trace | None = None) -> SchemaResult:
    """Whether the JSON value in the text fits the schema; a text without a value does not.

    The schema is JSON Schema, Draft 2020-12 unless its ``$schema`` says otherwise. A schema that cannot
    be used is a SpecError. Nothing is ever fetched from a network.

    >>> validate_json_schema("I think it is {}", schema={"required": ["answer"]})["errors"]
    ['$: "answer" is a required property']
    """
    check = _compiled(_encoded(schema))
    found = find_json(text, trace=trace)
    if found is None:
        why = why_none(text)
        said = "there is no JSON value in the text" + (f" that can be kept: {why}" if why else "")
        return SchemaResult(valid=False, extracted=None, errors=(said,))
    if _MAY_BE_HALF.search(text):
        found = found._replace(value=_mended(found.value))
    return _checked(check, found, text[slice(*found.span)], trace)


def _mended(value: Any) -> Any:
    """The value with U+FFFD for each half of a surrogate pair, which is no character, in texts and in names."""
    if isinstance(value, str):
        return value if value.isascii() else _HALF.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_mended(name): _mended(inner) for name, inner in value.items()}
    return [_mended(inner) for inner in value] if isinstance(value, list) else value


@SCORERS.register("json_schema", version="2", needs="nothing", alias="validate_json_schema")
def json_schema(sample: ScorerInput, *, schema: Any = None, trace: Trace | None = None) -> Score:
    """Full marks where the JSON value in the response fits the schema, given here or as metadata["schema"].

    >>> json_schema(ScorerInput(response='{"answer": 42}'), schema={"required": ["answer"]}).correct
    True
    """
    wanted = sample.metadata.get("schema") if schema is None else schema
    if wanted is None:
        raise SpecError(
            "json_schema needs a schema: give the parameter 'schema' or metadata['schema']",
            path="schema",
        )
    result = validate_json_schema(sample.response, wanted, trace=trace)
    read = result.extracted
    if result.valid:
        return full("the value fits the schema", extracted=read, span=result.span)
    more = f" (and {len(result.errors) - 1} more)" if len(result.errors) > 1 else ""
    return zero(
        result.errors[0] + more,
        extracted=read,
        span=result.span,
        detail={"errors": list(result.errors)},
    )


def _checked(check: Any, found: Found, written: str, trace: Trace | None) -> SchemaResult:
    try:
        problems = itertools.islice(check.iter_errors(found.value), _MOST_ERRORS)
        errors = tuple(
            f"{_path(problem.instance_path)}: {_message(problem)}" for problem in problems
        )
    except (ValueError, RecursionError) as failed:
        errors = (f"$: the value cannot be checked: {str(failed)[:_LONGEST]}",)
    if trace is not None:
        trace.add("schema", errors[0] if errors else "the value fits the schema", found.span)
    extracted = writable(found.value, written)
    return SchemaResult(valid=not errors, extracted=extracted, errors=errors, span=found.span)


def _message(problem: Any) -> str:
    """What is wrong; a text that a pattern gives up on does not match it, so that no text can be written to go unscored."""
    return (
        _NO_MATCH if type(problem.kind).__name__ in _GIVEN_UP else str(problem.message)[:_LONGEST]
    )


def _path(steps: list[str | int]) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def _encoded(schema: Any) -> str:
    """The schema as JSON text; a text is taken as JSON, which is how a table of samples carries it."""
    if isinstance(schema, str):
        return schema
    if not isinstance(schema, (bool, Mapping)):
        raise SpecError(
            f"a schema is an object, true or false, not {type(schema).__name__}", path="schema"
        )
    try:
        return json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as failed:
        raise SpecError(
            f"the schema is not JSON: {str(failed)[:_LONGEST]}", path="schema"
        ) from None


@functools.lru_cache(maxsize=256)
def _compiled(encoded: str) -> Any:
    import jsonschema_rs

    try:
        schema = json.loads(encoded, parse_constant=_refuse_constant, parse_float=exact_number)
    except (ValueError, RecursionError) as failed:
        raise SpecError(
            f"the schema is not JSON: {str(failed)[:_LONGEST]}", path="schema"
        ) from None
    if not isinstance(schema, (bool, dict)):
        raise SpecError(
            f"a schema is an object, true or false, not {type(schema).__name__}", path="schema"
        )
    try:
        return _built(schema, jsonschema_rs.RegexOptions())
    except SpecError:
        # A pattern may need what only a backtracking engine has; that one gets a limit.
        built = _built(schema, jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS))
    if (place := _open_place(schema)) is not None:
        raise SpecError(
            "a pattern with look-around or a back-reference may not stand here: where a match has to be given up, "
            "the value would be let through",
            path=f"schema{place}",
        )
    return built


def _open_place(schema: Any) -> str | None:
    try:
        return where_giving_up_pays(schema)
    except RecursionError:
        raise SpecError(
            "the schema cannot be used: it is nested too deeply", path="schema"
        ) from None


def _built(schema: Any, patterns: Any) -> Any:
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for(schema, retriever=_refuse_uri, pattern_options=patterns)
    except jsonschema_rs.ValidationError as failed:
        path = "schema" + _path(failed.instance_path)[1:]
        raise SpecError(failed.message[:_LONGEST], path=path) from None
    except (ValueError, RecursionError, jsonschema_rs.ReferencingError) as failed:
        raise SpecError(
            f"the schema cannot be used: {str(failed)[:_LONGEST]}", path="schema"
        ) from None


def _refuse_uri(uri: str) -> Any:
    raise ValueError(f"a schema may not refer to {uri}: nothing is fetched while scoring")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
