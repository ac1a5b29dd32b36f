"""Parameters: what a scorer or a primitive cannot use is refused when the spec is loaded, with its place."""

from __future__ import annotations

import inspect
import json
from decimal import Decimal
from typing import Any, Literal, NamedTuple, Optional  # noqa: F401 - the table names two of them

import pytest

from spec.specs import CASES
from steelyard import SpecError, evaluate, load_spec
from steelyard.functions import needed_instead
from steelyard.registry import PRIMITIVES, SCORERS, Registered
from steelyard.spec.params import open_params

TABLE = json.loads((CASES / "params.json").read_text(encoding="utf-8"))
THINGS = [
    (kind, thing, name)
    for kind, known in (("scorer", SCORERS), ("primitive", PRIMITIVES))
    for thing in known
    if not thing.judged
    for name in open_params(thing)
]
REFUSED = [
    (scorer, name, value, path)
    for scorer, name, values, path in TABLE["refused"]
    for value in values
]


def spec_with(kind: str, thing: Registered, params: dict[str, Any]) -> dict[str, Any]:
    dimension = {"name": "x", "weight": 1, kind: thing.name, **params}
    if thing.reads in {"field", "program"}:
        dimension["field"] = "x"
    if thing.name == "script":
        dimension.setdefault(
            "script", {"source": "def score(submission, truth):\n    return {'x': 1}"}
        )
    return {"profile": "free", "dimensions": [dimension]}


@pytest.mark.parametrize(("scorer", "name", "value", "path"), REFUSED)
def test_a_parameter_that_cannot_be_used_is_refused_at_load(
    scorer: str, name: str, value: Any, path: str
) -> None:
    with pytest.raises(SpecError) as raised:
        load_spec(spec_with("scorer", SCORERS.get(scorer), {name: value}))
    assert [problem.path for problem in raised.value.problems] == [f"dimensions[0].{path}"]


@pytest.mark.parametrize("value", TABLE["odd values"], ids=json.dumps)
@pytest.mark.parametrize(
    ("kind", "thing", "name"), THINGS, ids=lambda given: getattr(given, "name", str(given))
)
def test_whatever_loads_can_be_scored_by(
    kind: str, thing: Registered, name: str, value: Any
) -> None:
    try:
        spec = load_spec(spec_with(kind, thing, {name: value}))
    except SpecError:
        return
    if spec.dimensions[0].sandboxed:
        return
    for truth in ("B", "42", 42, ["B"]):
        try:
            found = evaluate(spec, {"x": "Answer: B 42"}, {"x": truth}, time_used=1)
        except SpecError as wrong:
            told = (
                ""
                if all(problem.path.startswith("ground_truth") for problem in wrong.problems)
                else str(wrong)
            )
        else:
            told = found.reasons["x"] if "failed" in found.reasons["x"] else ""
        assert not told


class Own:
    """Something that JSON has no form for."""


class Declared(NamedTuple):
    """A declared type, values that are of it, values that are not, and what is said of those."""

    annotation: str
    good: list[Any]
    bad: list[Any]
    needed: str
    default: Any = inspect.Parameter.empty


DECLARED = [
    Declared("str", ["", "x"], [5, None, True, [], {}], "text"),
    Declared("str | None", ["x", None], [5, []], "text"),
    Declared("Optional[str]", ["x", None], [5, []], "text"),
    Declared("int | str", [1, "x"], [1.5, None, []], "a whole number or text"),
    Declared(
        "int",
        [1, 2.0, Decimal(3)],
        ["1", True, 1.5, Decimal("Infinity"), float("nan")],
        "a whole number",
    ),
    Declared("float", [1, 1.5, Decimal("0.1")], ["1", True, None], "a number"),
    Declared("Decimal", [1, 1.5, Decimal("0.1")], ["1", True, None], "a number"),
    Declared("bool", [True, False], [0, 1, "yes", None], "true or false"),
    Declared("Literal['a', 'b']", ["a", "b"], ["c", 1, ["a"], None], "'a' or 'b'"),
    Declared(
        "list[str]", [[], ["a"], ("a", "b")], ["a", [1], {}, None], "a list of which each is text"
    ),
    Declared("dict[str, int]", [{}, {"a": 1}], [[], "a", None], "an object"),
    Declared("Own | None", [5, None, {"a": 1}], [], ""),
    Declared("Missing", [5, "x", None], [], ""),
    Declared("5 +", [5, "x", None], [], ""),
    Declared("str", ["x", None], [5], "text", None),
]


@pytest.mark.parametrize("case", DECLARED, ids=lambda case: case.annotation)
def test_a_value_is_held_to_the_declared_type(case: Declared) -> None:
    parameter = inspect.Parameter(
        "it", inspect.Parameter.KEYWORD_ONLY, default=case.default, annotation=case.annotation
    )
    assert [needed_instead(spec_with, parameter, value) for value in case.good] == [""] * len(
        case.good
    )
    assert [needed_instead(spec_with, parameter, value) for value in case.bad] == [
        case.needed
    ] * len(case.bad)
