"""Format checks: what a spec says of the shape of a submission's fields.

``{"field": "answers", "type": "array", "severity": "error"}`` checks a JSON type, ``"schema": {…}`` a schema.
A failed check of severity ``error`` (the default) makes every dimension that depends on the field 0; one of
severity ``warning`` is only told. A missing field fails unless the check says ``"required": false``.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from steelyard.primitives.values import Unreadable, describe, key, number
from steelyard.registry import nearest
from steelyard.spec.field import MISSING, find
from steelyard.spec.model import Check
from steelyard.spec.problems import Problems

KEYS = ("field", "type", "schema", "severity", "required", "message")
TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
SEVERITIES = ("error", "warning")
_MAX_TOLD = 300
_MAX_BITS, _MAX_EXPONENT = 1_000, 300
_KINDS: dict[str, Any] = {
    "array": (list, tuple),
    "boolean": bool,
    "null": type(None),
    "object": Mapping,
    "string": str,
}


def read_checks(raw: object, problems: Problems) -> tuple[Check, ...]:
    """The format checks of a spec, each with its schema compiled."""
    if not isinstance(raw, list):
        problems.add("format", f"must be an array of checks, not {describe(raw)}")
        return ()
    found = [_read(entry, f"format[{i}]", problems) for i, entry in enumerate(raw)]
    return tuple(check for check in found if check is not None)


def _read(raw: object, path: str, problems: Problems) -> Check | None:
    if not isinstance(raw, dict):
        problems.add(path, f"must be an object, not {describe(raw)}")
        return None
    before = problems.heard
    for name in raw:
        if name not in KEYS:
            problems.add(f"{path}.{name}", f"is not known in a check{nearest(name, KEYS)}")
    _check_words(raw, path, problems)
    types = _types(raw, path, problems)
    validator = _compile(raw["schema"], path, problems) if "schema" in raw else None
    if "type" not in raw and "schema" not in raw:
        problems.add(path, "needs a 'type' or a 'schema'")
    if problems.heard > before:
        return None
    return Check(
        field=raw["field"],
        severity=raw.get("severity", "error"),
        types=types,
        schema=raw.get("schema"),
        required=raw.get("required", True),
        message=raw.get("message", ""),
        validator=validator,
    )


def _check_words(raw: dict[str, Any], path: str, problems: Problems) -> None:
    if not isinstance(raw.get("field"), str) or not raw["field"]:
        problems.add(
            f"{path}.field", f"must be the name of a field, not {describe(raw.get('field'))}"
        )
    if raw.get("severity", "error") not in SEVERITIES:
        problems.add(
            f"{path}.severity", f"must be 'error' or 'warning', not {describe(raw['severity'])}"
        )
    if not isinstance(raw.get("required", True), bool):
        problems.add(f"{path}.required", f"must be true or false, not {describe(raw['required'])}")
    if not isinstance(raw.get("message", ""), str):
        problems.add(f"{path}.message", f"must be a string, not {describe(raw['message'])}")


def _types(raw: dict[str, Any], path: str, problems: Problems) -> tuple[str, ...]:
    given = raw.get("type", [])
    names = given if isinstance(given, list) else [given]
    if "type" in raw and not names:
        problems.add(f"{path}.type", f"must name a type; there are {', '.join(TYPES)}")
    for name in names:
        if name not in TYPES:
            hint = nearest(name, TYPES) or f"; there are {', '.join(TYPES)}"
            problems.add(f"{path}.type", f"cannot be {describe(name)}{hint}")
    return tuple(name for name in names if name in TYPES)


def _compile(schema: object, path: str, problems: Problems) -> Any:
    import jsonschema_rs

    if not isinstance(schema, (dict, bool)):
        problems.add(f"{path}.schema", f"must be a JSON Schema, not {describe(schema)}")
        return None
    try:
        return _validator(schema)
    except (ValueError, TypeError, jsonschema_rs.ReferencingError) as wrong:
        problems.add(f"{path}.schema", _why_not(schema, str(wrong).splitlines()[0][:_MAX_TOLD]))
        return None


def _validator(schema: Any) -> Any:
    import jsonschema_rs

    # Linear-time patterns, and no reference leaves the spec.
    return jsonschema_rs.validator_for(
        schema, retriever=_refuse, pattern_options=jsonschema_rs.RegexOptions(), mask="the value"
    )


def compiled(schema: Any) -> Any:
    """What validates by a part of a schema; None where that part means nothing without the rest."""
    import jsonschema_rs

    try:
        return _validator(schema)
    except (ValueError, TypeError, jsonschema_rs.ReferencingError):
        return None


def _why_not(schema: dict[str, Any] | bool, told: str) -> str:
    """A schema that a backtracking engine takes is one, and has a pattern that may take for ever."""
    import jsonschema_rs

    try:
        jsonschema_rs.validator_for(
            schema, retriever=_refuse, pattern_options=jsonschema_rs.FancyRegexOptions()
        )
    except (ValueError, TypeError, jsonschema_rs.ReferencingError):
        return f"is not a JSON Schema: {told}"
    return "has a pattern that cannot be run in linear time; look-around and back-references are not available in a check"


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is outside of the spec")


def run_checks(checks: tuple[Check, ...], submission: Mapping[str, Any]) -> list[dict[str, str]]:
    """A warning for every check that the submission fails: field, severity and message."""
    found = []
    for check in checks:
        value = find(submission, check.field)
        wrong = _wrong(check, value)
        if wrong:
            message = f"{check.message}: {wrong}" if check.message else wrong
            found.append({"field": check.field, "severity": check.severity, "message": message})
    return found


def _wrong(check: Check, value: object) -> str:
    if value is MISSING:
        return "the field is missing" if check.required else ""
    if check.types and not any(_is(value, name) for name in check.types):
        return f"expected {' or '.join(check.types)}, got {describe(value)}"
    return _broken(check.validator, value) if check.validator is not None else ""


def _broken(validator: Any, value: object) -> str:
    try:
        if not _is_text(value):  # what is not JSON must not reach the validator
            found = key(value)
            if any(map(_is_outsized, found if isinstance(found, tuple) else (found,))):
                return "the value is or holds a number that is too large to be checked"
        if validator.is_valid(value):  # which does not gather what there is to tell
            return ""
        first = next(iter(validator.iter_errors(value)), None)
    except Unreadable as bad:
        return f"the value is or holds {bad}"
    except (ValueError, TypeError, OverflowError, RecursionError) as bad:
        return f"the value cannot be checked: {type(bad).__name__}"
    if first is None:
        return ""
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in first.instance_path)
    return f"{where.lstrip('.')}: {first.message}"[:_MAX_TOLD].removeprefix(": ")


def _is_text(value: object) -> bool:
    """Whether it is a string, or an array of nothing else: JSON at a glance."""
    return type(value) is str or (type(value) is list and {*map(type, value)} == {str})


def _is_outsized(token: object) -> bool:
    """The validator takes such a number for null."""
    if isinstance(token, int):
        return token.bit_length() > _MAX_BITS
    return isinstance(token, Decimal) and abs(token.adjusted()) > _MAX_EXPONENT


def _is(value: object, name: str) -> bool:
    if name in {"number", "integer"}:
        found = number(value)
        if found is None or name == "number" or isinstance(found, int):
            return found is not None
        return found == found.to_integral_value()
    return isinstance(value, _KINDS[name])
