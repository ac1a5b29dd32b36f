"""JSON text and maps in the columns of Parquet: read as the same cells of CSV are."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commands import Commands

SPEC: dict[str, Any] = {
    "dimensions": [
        {"name": "accuracy", "weight": 0.6, "primitive": "exact_match", "field": "a"},
        {
            "name": "steps",
            "weight": 0.4,
            "primitive": "call_efficiency",
            "max_llm_calls": 2,
            "requires": {"accuracy": 1},
        },
    ]
}
TRUTH = {"a": {"b": [1, 0.1]}}
STEPS = json.dumps({"steps": [{"type": "llm_call"}]})
SUBMISSIONS = ['{"a": {"b": [1, 0.10]}}', '{"a":\n{"b": [2]}}', "", "not JSON", '{"a": NaN}']


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("spec.json").write_text(json.dumps(SPEC))
    Path("truth.json").write_text(json.dumps(TRUTH))


def scored(steelyard: Commands, name: str, *more: str) -> tuple[list[Any], dict[str, Any], str]:
    ran = steelyard("score", "--spec", "spec.json", name, "-o", "out.jsonl", "--json", *more)
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    return [(row["value"], row.get("reason")) for row in rows], json.loads(ran.out), ran.err


def in_csv(columns: dict[str, list[str]]) -> None:
    with Path("in.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def texts(kind: str, cells: list[str]) -> pa.Array:
    if kind == "dictionary":
        return pa.array(cells).dictionary_encode()
    return (
        pa.array([cell.encode() for cell in cells], pa.binary())
        if kind == "binary"
        else pa.array(cells, kind)
    )


@pytest.mark.parametrize("kind", ["string", "large_string", "binary", "dictionary"])
def test_text_is_read_as_in_csv(kind: str, steelyard: Commands) -> None:
    count = len(SUBMISSIONS)
    columns = {
        "submission": SUBMISSIONS,
        "truth": [json.dumps(TRUTH)] * count,
        "trajectory": [STEPS] * count,
        "metadata": ['{"topic": "t"}'] * count,
        "time_used": ["5"] * count,
        "verified": ["true"] * count,
    }
    in_csv(columns)
    pq.write_table(
        pa.table({name: texts(kind, cells) for name, cells in columns.items()}), "in.parquet"
    )
    (from_csv, told, said), (rows, summary, err) = (
        scored(steelyard, name, "--by", "topic") for name in ("in.csv", "in.parquet")
    )
    assert rows == from_csv
    assert [value for value, _ in rows] == [0.8, 0.0, 0.0, None, 0.0]
    assert [(group["name"], group["total"]) for group in summary["breakdown"]] == [("t", 5)]
    assert summary["breakdown"] == told["breakdown"]
    assert err.startswith("bad line: in.parquet:4: submission: the cell is not JSON: ")
    assert said.startswith("bad line: in.csv:6: submission: the cell is not JSON: ")


def test_a_shared_truth_and_another_name(steelyard: Commands) -> None:
    pq.write_table(
        pa.table({"out": SUBMISSIONS[:1], "trajectory": [STEPS], "note": ["not JSON"]}),
        "in.parquet",
    )
    rows, _, _ = scored(
        steelyard, "in.parquet", "--truth", "truth.json", "--field", "submission=out", "--verified"
    )
    assert [value for value, _ in rows] == [0.8]


def test_maps_are_objects(steelyard: Commands) -> None:
    kind = pa.map_(pa.string(), pa.struct([("b", pa.list_(pa.float64()))]))
    same, twice = [("a", {"b": [1, 0.1]})], [("a", None), ("a", None)]
    table = {
        "submission": pa.array([same, [], twice], kind),
        "truth": pa.array([same] * 3, kind),
        "trajectory": [STEPS] * 3,
        "metadata": pa.array([[(1, "x")], [(2, "y")], None], pa.map_(pa.int32(), pa.string())),
    }
    pq.write_table(pa.table(table), "in.parquet")
    rows, summary, err = scored(steelyard, "in.parquet", "--by", "1", "--verified")
    assert [value for value, _ in rows] == [0.8, 0.0, None]
    assert err == "bad line: in.parquet:3: submission: the key 'a' is given twice\n"
    assert [group["name"] for group in summary["breakdown"]] == ["unknown", "x"]


@pytest.mark.parametrize("name", ["in.csv", "in.parquet"])
def test_a_column_that_is_the_target_is_text_whatever_it_is_called(
    name: str, steelyard: Commands
) -> None:
    columns = {"response": ["not JSON", "{"], "truth": ["not JSON", "{"]}
    in_csv(columns)
    pq.write_table(pa.table(columns), "in.parquet")
    ran = steelyard("score", "--scorer", "exact_match", name, "--field", "target=truth", "--json")
    assert (ran.code, json.loads(ran.out)["mean"]) == (0, 1.0)


def test_responses_stand_beside_metadata_that_is_text(steelyard: Commands) -> None:
    table = {
        "response": ["x", "y"],
        "target": ["x", "y"],
        "metadata": ['{"topic": "t"}', "{"],
        "truth": ["as it", "was"],
    }
    pq.write_table(pa.table(table), "in.parquet")
    ran = steelyard("score", "--scorer", "exact_match", "in.parquet", "--by", "topic", "--json")
    assert [(group["name"], group["scored"]) for group in json.loads(ran.out)["breakdown"]] == [
        ("t", 1),
        ("unknown", 0),
    ]
    assert ran.err.startswith("bad line: in.parquet:2: metadata: the cell is not JSON")
