"""A user's own primitive: it is given plain numbers, whichever way they came, and the built-in ones exact decimals."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from spec.specs import dimension, free
from steelyard import evaluate, load_spec, primitive, scorer
from steelyard.registry import PRIMITIVES, SCORERS

Make = Callable[[Callable[..., Any]], str]
TRUTH = {"a": 1.5, "many": [0.5, {"x": 2.25}]}


def _near(got: Any, want: Any, *, scale: float = 0.5, bounds: Any = None) -> float:
    """Float arithmetic, as users write it, over all that is given."""
    low = (bounds or {"low": [0.0]})["low"][0]
    return max(low + 0.0, 1 - abs(math.fsum([got, -want]) * scale))


def _reach(got: Any, want: Any) -> float:
    return float(got[1]["x"] * 0.5 + 0.25 == want[1]["x"] * 0.5 + 0.25 and isinstance(got, list))


@pytest.fixture
def made() -> Iterator[Make]:
    """Makes a primitive by decorator; it is gone after the test."""
    before = dict(PRIMITIVES._things)

    def make(fn: Callable[..., Any]) -> str:
        primitive(fn)
        return fn.__name__

    yield make
    PRIMITIVES._things = before


def spec_of(*names: str, **params: Any) -> dict[str, Any]:
    fields = {"_near": "a", "_reach": "many"}
    return free(
        *(
            dimension(name, 1 / len(names), primitive=name, field=fields[name], **params)
            for name in names
        )
    )


@pytest.mark.parametrize("params", [{}, {"scale": 0.25}, {"scale": 1, "bounds": {"low": [0.5]}}])
def test_a_primitive_is_given_floats_from_python(made: Make, params: dict[str, Any]) -> None:
    made(_near)
    assert evaluate(spec_of("_near", **params), {"a": 1.5}, TRUTH).score == 1000
    exact = {"a": Decimal("1.5")}
    assert evaluate(spec_of("_near", **params), exact, exact).score == 1000


def test_a_primitive_is_given_floats_by_the_command(
    made: Make, tmp_path: Path, steelyard: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made(_near)
    made(_reach)
    Path("spec.json").write_text(json.dumps(spec_of("_near", scale=0.5)))
    Path("both.json").write_text(json.dumps(spec_of("_near", "_reach")))
    Path("truth.json").write_text(json.dumps(TRUTH))
    for spec in ("spec.json", "both.json"):
        ran = steelyard(
            "score", "--spec", spec, "--submission", "truth.json", "--truth", "truth.json", "--json"
        )
        assert (ran.code, json.loads(ran.out)["score"]) == (0, 1000)
    Path("rows.jsonl").write_text(json.dumps({"submission": TRUTH, "truth": TRUTH}) + "\n")
    ran = steelyard(
        "score", "--spec", "both.json", "rows.jsonl", "--output", "out.jsonl", "--workers", "1"
    )
    assert ran.code == 0
    assert json.loads(Path("out.jsonl").read_text())["detail"]["score"] == 1000


def test_a_plugin_that_is_no_decorated_function_is_given_floats_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = type(
        "Entry",
        (),
        {"name": "near", "value": "package:near", "dist": None, "load": lambda self: _near},
    )()
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: [entry] if group == "steelyard.primitives" else []
    )
    monkeypatch.setattr(PRIMITIVES, "_discovered", False)
    monkeypatch.setattr(PRIMITIVES, "_things", dict(PRIMITIVES._things))
    spec = free(dimension("a", 1, primitive="near", scale=0.5))
    assert evaluate(spec, {"a": Decimal("1.5")}, {"a": Decimal("1.5")}).score == 1000


def test_several_answers_come_to_a_scorer_of_yours_as_plain_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SCORERS, "_things", dict(SCORERS._things))

    @scorer
    def any_of(sample: Any) -> Any:
        return {
            "correct": any(
                abs(float(sample.response) - one) < 0.1
                for one in sample.metadata["correct_answers"]
            )
        }

    spec = free(dimension("a", 1, scorer="any_of"))
    assert (
        evaluate(spec, {"a": Decimal("1.5")}, {"a": [Decimal("0.5"), Decimal("1.5")]}).score == 1000
    )


def test_the_built_in_ones_keep_exact_decimals() -> None:
    spec = free(dimension("a", 1, primitive="numeric_tolerance", tolerance=Decimal("1e-20")))
    want, beside = Decimal("0.1"), Decimal("0.1") + Decimal("2e-20")
    assert evaluate(load_spec(spec), {"a": beside}, {"a": want}).score == 0
    assert evaluate(load_spec(spec), {"a": want}, {"a": want}).score == 1000
