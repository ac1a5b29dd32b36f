"""Each primitive against its table, with numbers read as floats and as the decimals that are written."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from steelyard import primitives
from steelyard.errors import SpecError
from steelyard.registry import PRIMITIVES

CASES = Path(__file__).parent.parent / "cases" / "primitives"


def rows() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*.json")):
        text = path.read_text(encoding="utf-8")
        for kind in (float, Decimal):
            for i, row in enumerate(json.loads(text, parse_float=kind)):
                found.append(pytest.param(path.stem, row, id=f"{path.stem}-{i}-{kind.__name__}"))
    return found


def run(name: str, row: dict[str, Any]) -> Any:
    args = {
        "field": [row["got"], row.get("want")],
        "time": [row["got"]],
        "trajectory": [row["got"], row.get("want"), row.get("verified", True)],
    }
    return getattr(primitives, name)(*args[PRIMITIVES.get(name).reads], **row.get("params", {}))


@pytest.mark.parametrize(("name", "row"), rows())
def test_row(name: str, row: dict[str, Any]) -> None:
    if "error" in row:
        with pytest.raises(SpecError) as raised:
            run(name, row)
        assert row["error"] in str(raised.value)
        return
    score = run(name, row)
    assert score.points == pytest.approx(float(row["points"]), rel=1e-15, abs=0)
    assert score.correct is (row["points"] == 1000)
    assert score.reason
    assert score.reason == row.get("reason", score.reason)


def test_every_primitive_has_a_table_with_a_full_and_a_zero_and_a_hostile_row() -> None:
    built_in = {thing.name for thing in PRIMITIVES if thing.fn.__module__.startswith("steelyard.")}
    assert built_in == {path.stem for path in CASES.glob("*.json")} == set(primitives.__all__)
    for path in CASES.glob("*.json"):
        table = json.loads(path.read_text(encoding="utf-8"))
        assert {0, 1000} <= {row.get("points") for row in table}
        assert any("error" in row for row in table)
