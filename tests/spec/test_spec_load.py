"""Loading: every fault is told at once, each with its path, and nothing else is."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from spec.specs import CASES, SEED, dimension, free
from steelyard.spec import SpecError, lint_spec, load_spec, spec_json_schema, spec_signature

FAULTS = json.loads((CASES / "faults.json").read_text(encoding="utf-8"), parse_float=str)


def raw_faults() -> list[str]:
    """The specs as they are written, so that a file holds just that."""
    text = (CASES / "faults.json").read_text(encoding="utf-8")
    decoder = json.JSONDecoder(
        parse_float=lambda written: f"\0{written}\0", parse_constant=lambda c: f"\0{c}\0"
    )
    rows = decoder.decode(text)
    return [json.dumps(row["spec"]).replace('"\\u0000', "").replace('\\u0000"', "") for row in rows]


def problems(source: Any) -> list[tuple[str, str]]:
    with pytest.raises(SpecError) as raised:
        load_spec(source)
    return [tuple(problem) for problem in raised.value.problems]


@pytest.mark.parametrize(
    ("row", "text"),
    list(zip(FAULTS, raw_faults(), strict=True)),
    ids=[row["what"] for row in FAULTS],
)
def test_all_faults_are_told_with_their_paths(
    row: dict[str, Any], text: str, tmp_path: Path
) -> None:
    file = tmp_path / "spec.json"
    file.write_text(text, encoding="utf-8")
    told = problems(file)
    assert sorted(path for path, _ in told) == sorted(path for path, _ in row["problems"])
    by_path: dict[str, str] = {}
    for path, message in told:
        by_path[path] = by_path.get(path, "") + message
    for path, part in row["problems"]:
        assert part in by_path[path]


def test_the_error_of_a_file_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"dimensions": 5}')
    with pytest.raises(SpecError, match=r"bad\.json: dimensions: must be an array, not 5"):
        load_spec(file)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a": 1,\n "b": }', r"bad\.json:2: is not JSON"),
        (b"", "is not JSON"),
        (b"\xff\xfe{}", "is not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"dimensions": ' + b'{"a":' * 70 + b"1" + b"}" * 70 + b"}", "nested too deeply"),
        (b'{"type": "judged", "type": "deterministic", "dimensions": []}', "type: is given twice"),
        (b'{"dimensions": [{"name": "a", "name": "b"}]}', r"dimensions\[0\]\.name: is given twice"),
        (b'{"dimensions": ' + b"9" * 5000 + b"}", "too large"),
        (b"null", "a spec is an object, not null"),
    ],
)
def test_a_file_that_cannot_be_read(content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    with pytest.raises(SpecError, match=said):
        load_spec(file)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.json: cannot be read: No such file"):
        load_spec(tmp_path / "none.json")
    with pytest.raises(SpecError, match="cannot be read"):
        load_spec(str(tmp_path))
    with pytest.raises(SpecError, match="cannot be read"):
        load_spec("nul\0byte")


def test_a_million_dimensions_are_refused_at_once() -> None:
    assert [path for path, _ in problems({"dimensions": [None] * 1_000_000})] == ["dimensions"]
    told = problems({"profile": "free", "dimensions": [None] * 1_000_000})
    assert told == [("dimensions", "must be 1 to 10000 dimensions, not 1000000")]
    told = problems({"profile": "free", "dimensions": [None] * 10_000})
    assert len(told) == 101
    assert "there may be more" in told[-1][1]


def test_only_the_first_few_unknown_gates_get_near_names() -> None:
    weight = Decimal(1) / 64
    told = problems(
        free(*(dimension(f"dim{i}", weight, requires={f"dip{i}": 1}) for i in range(64)))
    )
    assert ["did you mean" in message for _, message in told] == [True] * 5 + [False] * 59


@pytest.mark.slow
def test_a_million_unknown_constraints_are_told_as_a_few() -> None:
    assert (
        len(problems(free(dimension("a", 1), constraints={f"c{i}": 1 for i in range(1_000_000)})))
        == 101
    )


def test_deep_and_endless_dicts_are_refused() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = {"a": deep}
    loop: dict[str, Any] = {}
    loop["loop"] = loop
    for params in (deep, loop, [loop]):
        told = problems(free(dimension("a", 1, params=params)))
        assert any("nested too deeply" in message for _, message in told)


@pytest.mark.parametrize("value", [object(), {1: 2}, b"x", {1}, float("inf"), 1j])
def test_values_that_are_not_json(value: Any) -> None:
    assert problems(free(dimension("a", 1, label=value)))[0][0].startswith("dimensions[0].label")
    assert problems({"dimensions": value, 5: 6})


def test_a_loaded_spec_shares_nothing_and_cannot_change() -> None:
    raw = copy.deepcopy(SEED)
    spec = load_spec(raw)
    raw["dimensions"][1]["time_limit_secs"] = 1
    assert spec.dimensions[1].params["time_limit_secs"] == 300
    with pytest.raises(AttributeError):
        spec.type = "judged"  # type: ignore[misc]
    with pytest.raises(TypeError):
        spec.dimensions[1].params["time_limit_secs"] = 1  # type: ignore[index]
    assert load_spec(spec) is spec


def test_a_spec_travels_between_processes() -> None:
    spec = load_spec(free(dimension("a", 1, primitive="numeric_tolerance", tolerance=0.1)))
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec
    assert hash(again) == hash(spec)
    assert again.dimensions[0].params["tolerance"] == Decimal("0.1")


def test_core_names_bring_label_and_colour() -> None:
    spec = load_spec(free(dimension("code_quality", 0.5), dimension("my_own", 0.5, color="teal")))
    first, second = spec.dimensions
    assert (first.label, first.color) == ("Code Quality", "coral")
    assert (second.label, second.color) == ("My own", "teal")


def test_weights_of_thirds_and_the_slack_itself() -> None:
    load_spec(free(*(dimension(name, 1 / 3) for name in "abc")))
    load_spec(free(dimension("a", 0.5), dimension("b", Decimal("0.499999999"))))


def test_params_may_stand_apart() -> None:
    spec = load_spec(
        free(dimension("a", 1, primitive="numeric_tolerance", params={"tolerance": 2}))
    )
    assert dict(spec.dimensions[0].params) == {"tolerance": 2}


def test_signature_follows_the_meaning() -> None:
    base = spec_signature(load_spec(SEED))
    same = copy.deepcopy(SEED)
    same["dimensions"].reverse()
    same["dimensions"][0].update(weight=Decimal("0.20"), label="L", description="D", color="c")
    same["dimensions"][1]["time_limit_secs"] = 300.0
    assert spec_signature(load_spec(same)) == base
    assert "exact_match_ratio:" in base
    limits = {"token_budget": 5, "max_llm_calls": 6}
    ordered = [
        {**SEED, "constraints": limits},
        {**SEED, "constraints": dict(reversed(limits.items()))},
    ]
    assert len({spec_signature(load_spec(spec)) for spec in [SEED, *ordered]}) == 2
    for change in ({"time_limit_secs": 301}, {"requires": {"accuracy": 1}}):
        other = copy.deepcopy(SEED)
        other["dimensions"][1].update(change)
        assert spec_signature(load_spec(other)) != base


def test_a_changed_copy_has_a_signature_of_its_own() -> None:
    raw = free(dimension("a", 1), format=[{"field": "a", "type": "string"}])
    spec, again = load_spec(raw), load_spec(raw)
    bare = msgspec.structs.replace(spec, checks=())
    without = spec_signature(bare)
    assert bare != spec
    assert again == spec
    assert spec_signature(again) != without
    assert spec_signature(spec) == spec_signature(again)


def test_lint_leaves_the_signature_as_it_is() -> None:
    raw = free(dimension("b", 1), format=[{"field": "b", "type": "string"}])
    code = f"from steelyard.spec import load_spec, spec_signature; print(spec_signature(load_spec({raw!r})))"
    fresh = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert lint_spec(raw).signature == fresh
    assert spec_signature(load_spec(raw)) == fresh


SCHEMA_ROWS: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    (
        {},
        {"constraints": {"token_budget": None, "allowed_tools": None, "network_access": None}},
        True,
    ),
    ({}, {"constraints": {"max_cost_usd": None, "max_llm_calls": 3}}, True),
    ({}, {"constraints": {"max_llm_calls": -3}}, False),
    ({}, {"constraints": {"zz": 1}}, False),
    ({}, {"constraints": {"maxLlmCalls": 3, "tokenBudget": 5, "ALLOWED_TOOLS": ["x"]}}, True),
    ({}, {"constraints": {"maxLLMCalls": -3}}, False),
    ({}, {"constraints": {"tokenBudgets": 5}}, False),
    ({"ground_truth_field": None}, {}, False),
    ({"ground_truth_field": "t"}, {}, True),
    ({"name": " "}, {}, False),
    ({"name": "a b"}, {}, True),
]


@pytest.mark.parametrize(("change", "top", "fine"), SCHEMA_ROWS, ids=str)
def test_the_schema_and_loading_say_the_same(
    change: dict[str, Any], top: dict[str, Any], fine: bool
) -> None:
    import jsonschema_rs

    spec = free({**dimension("a", 1), **change}, **top)
    assert jsonschema_rs.validator_for(spec_json_schema()).is_valid(spec) is fine
    if fine:
        load_spec(spec)
    else:
        assert problems(spec)


def test_a_scorer_may_compare_with_nothing_in_both() -> None:
    import jsonschema_rs

    spec = free(dimension("a", 1, scorer="json_schema", schema={}, ground_truth_field=None))
    assert jsonschema_rs.validator_for(spec_json_schema()).is_valid(spec)
    assert load_spec(spec).dimensions[0].ground_truth_field is None


def test_the_schema_for_editors_agrees_with_loading() -> None:
    import jsonschema_rs

    validator = jsonschema_rs.validator_for(spec_json_schema())
    assert validator.is_valid(SEED)
    assert validator.is_valid(free(dimension("a", 1, scorer="numeric_match")))
    assert not validator.is_valid({"dimensions": []})
    for change in (
        {"primitive": "exact_mach"},
        {"weight": 0},
        {"name": "total"},
        {"tolerence": 1},
        {"field": 5},
    ):
        assert not validator.is_valid(free({**dimension("a", 1), **change})), change
    assert not validator.is_valid(free(dimension("a", 1, primitive="numeric_tolerance")))
