"""Structured answers against a JSON Schema."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import DataError, SpecError
from steelyard.reading.found import Trace
from steelyard.reading.json_values import writable
from steelyard.score import Score
from steelyard.scoring.extracted import extracted_match
from steelyard.scoring.json_schema import json_schema, validate_json_schema
from steelyard.scoring.pattern import answer_line
from steelyard.scoring.types import ScorerInput

FOLDER = Path(__file__).parent.parent / "cases" / "json"


def rows(name: str) -> list[Any]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows("schemas.jsonl"), ids=str)
def test_validation(row: dict[str, Any]) -> None:
    trace = Trace()
    result = validate_json_schema(row["text"], schema=row["schema"], trace=trace)
    assert result.valid is row["valid"]
    assert result["score"] == float(row["valid"])
    assert bool(result["errors"]) is not row["valid"]
    assert row.get("error", "") in "\n".join(result.errors)
    assert trace.steps
    score = json_schema(ScorerInput(row["text"]), schema=row["schema"])
    assert (score.value, score.correct) == (result.score, result.valid)
    assert score.reason
    assert score["extracted"] == writable(result["extracted"], row["text"])


@pytest.mark.parametrize("row", rows("bad_schemas.jsonl"), ids=str)
def test_a_schema_that_cannot_be_used_is_the_authors_error(row: dict[str, Any]) -> None:
    with pytest.raises(SpecError) as failed:
        validate_json_schema("{}", schema=row["schema"])
    assert row["error"] in str(failed.value)
    assert failed.value.path.startswith("schema")


def test_the_documented_example() -> None:
    result = validate_json_schema(
        '{"answer": "42"}', schema={"type": "object", "required": ["answer"]}
    )
    assert result == {"valid": True, "extracted": {"answer": "42"}, "score": 1.0}
    assert dict(result) == {"valid": True, "extracted": {"answer": "42"}, "score": 1.0}
    assert result["errors"] == []
    assert result != {"valid": False}
    assert result.get("nothing", 5) == 5
    assert len(result) == 3
    assert "errors" not in result


def test_errors_are_shown_and_bounded() -> None:
    text = json.dumps(["x" * 1000] * 1000)
    result = validate_json_schema(text, schema={"items": {"type": "integer"}})
    assert list(result) == ["valid", "extracted", "errors", "score"]
    assert len(result["errors"]) <= 20
    assert all(len(error) < 400 for error in result["errors"])


def test_the_schema_may_come_with_the_sample() -> None:
    sample = ScorerInput('{"a": 1}', metadata={"schema": {"required": ["a"]}})
    assert json_schema(sample) == {"correct": True, "extracted": {"a": 1}}
    assert json_schema(sample, schema=False).correct is False
    with pytest.raises(SpecError, match="schema"):
        json_schema(ScorerInput("{}"))


@pytest.mark.parametrize("number", ["1e400", "1e-400", "0.1000000000000000055511151231257827"])
def test_evidence_can_be_read_again_whatever_number_it_holds(number: str) -> None:
    score = json_schema(ScorerInput(f'{{"a": [{number}]}}'), schema={})
    assert msgspec.json.decode(msgspec.json.encode(score), type=Score) == score


@pytest.mark.parametrize(
    ("response", "target", "right"),
    [
        ("so [1.0]", "[1]", True),
        ("so [true]", "[1]", False),
        ("so [1e400]", "[1e400]", True),
        ("so [1e400]", "[1e401]", False),
    ],
)
def test_what_the_json_extractor_reads_is_compared_as_json(
    response: str, target: str, right: bool
) -> None:
    assert extracted_match(ScorerInput(response, target), extractor="json").correct is right


def test_deep_schemas_and_odd_responses() -> None:
    schema: dict[str, Any] = {}
    for _ in range(100_000):
        schema = {"not": schema}
    with pytest.raises(SpecError):
        validate_json_schema("1", schema=schema)
    assert validate_json_schema("[" * 150 + "]" * 150, schema={"$ref": "#"}).valid


def test_a_response_that_is_no_text_is_not_valid() -> None:
    assert validate_json_schema(None, schema=True).valid is False  # type: ignore[arg-type]


@given(st.text())
def test_no_response_makes_it_raise(text: str) -> None:
    assert json_schema(ScorerInput(text), schema={"type": "object", "required": ["a"]}).value == 0.0


def test_a_text_that_a_pattern_gives_up_on_does_not_match_it() -> None:
    schema = {"properties": {"k": {"pattern": r"^(a+)\1+b$"}}}
    response = json.dumps({"k": "a" * 50_000 + "!"})
    score = json_schema(ScorerInput(response=response), schema=schema)
    assert (score.value, score.status) == (0, "scored")
    assert score.reason.startswith("$.k: the text does not match a pattern")
    assert not validate_json_schema(response, schema={"anyOf": [schema, {"type": "number"}]}).valid


def test_a_deep_schema_with_such_a_pattern_is_refused_or_used() -> None:
    schema: Any = {"pattern": "^(?!x)"}
    for _ in range(400):
        schema = {"allOf": [schema]}
    with contextlib.suppress(SpecError):
        assert validate_json_schema('"a"', schema=schema).valid


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("1e400", "1E+400"),
        ("0.1000000000000000000000001", "0.1000000000000000000000001"),
        ("0.5", 0.5),
        (r'"\ud800"', "\ufffd"),
        (r'{"\udc00": 1}', {"\ufffd": 1}),
        (r'"\ud83d\ude00"', "\U0001f600"),
    ],
)
def test_what_is_extracted_goes_to_json_and_back_without_loss(written: str, kept: Any) -> None:
    for score in (
        json_schema(ScorerInput(response=f"[{written}]"), schema=True),
        extracted_match(ScorerInput(response=f"[{written}]", target="[7]"), extractor="json"),
    ):
        assert score.extracted == [kept]
        assert msgspec.json.decode(msgspec.json.encode(score), type=Score) == score


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("1e400", "1E+400"),
        ("0.30000000000000000001", "0.30000000000000000001"),
        ('[{"x": 1e-400}, 0.5]', [{"x": "1E-400"}, 0.5]),
    ],
)
def test_the_mapping_of_a_result_can_be_written_as_json(written: str, kept: Any) -> None:
    result = validate_json_schema(f'{{"a": {written}}}', schema={"properties": {"a": {}}})
    assert json.loads(json.dumps(dict(result)))["extracted"] == {"a": kept}
    assert not validate_json_schema(f"[{written}]", schema={"items": {"const": "1E+400"}}).valid


def test_a_text_with_half_a_surrogate_pair_is_written() -> None:
    score = answer_line(ScorerInput(response="Answer: x\ud800", target="y"))
    assert score.extracted == "x\ufffd"
    assert msgspec.json.decode(msgspec.json.encode(score), type=Score) == score


def test_metadata_are_an_object() -> None:
    with pytest.raises(DataError, match="the metadata are int; an object is needed"):
        ScorerInput(response="x", target="x", metadata=5)  # type: ignore[arg-type]
    assert ScorerInput(response="x", metadata=None).metadata == {}  # type: ignore[arg-type]


def test_a_reference_is_followed_before_it_is_refused() -> None:
    apart = {
        "p": {"pattern": "^(?=.*\\d).+$"},
        "k": {"oneOf": [{"$ref": "#/$defs/i"}, {"$ref": "#/$defs/s"}]},
    }
    kinds = {"i": {"type": "integer"}, "s": {"type": "string"}}
    assert validate_json_schema('{"p": "a1", "k": 3}', {"properties": apart, "$defs": kinds}).valid
    behind = {
        "not": {"$ref": "#/$defs/i"},
        "$defs": {"i": {"$ref": "#/$defs/j"}, "j": {"pattern": "(?=x)y"}},
    }
    with pytest.raises(SpecError, match="look-around"):
        validate_json_schema("1", behind)
