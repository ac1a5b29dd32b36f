"""Parquet: columns of every type, as the values that they stand for."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.batch import Options, ScorerPlan, Source, Summary, score_files
from steelyard.batch.parquet import shortest
from steelyard.errors import DataError

NAN, INF = float("nan"), float("inf")


def score(
    folder: Path, table: dict[str, Any], scorer: str = "exact_match", **how: Any
) -> tuple[Summary, list[Any], list[Any]]:
    pq.write_table(pa.table(table), folder / "in.parquet")
    bad: list[Any] = []
    summary = score_files(
        ScorerPlan(scorer=scorer, **how),
        [Source(str(folder / "in.parquet"))],
        Options(output=str(folder / "out.jsonl"), on_bad=bad.append),
    )
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_bytes().splitlines()]
    return summary, rows, [found.message for found in bad]


COLUMNS = {
    "binary": pa.array([b"0.1", "κ".encode()], pa.binary()),
    "large binary": pa.array([b"0.1", "κ".encode()], pa.large_binary()),
    "dictionary of binary": pa.array([b"0.1", "κ".encode()], pa.binary()).dictionary_encode(),
    "text": pa.array(["0.1", "κ"]),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_bytes_are_text(kind: str, tmp_path: Path) -> None:
    for field in ("response", "target"):
        table = {"response": ["0.1", "κ"], "target": ["0.1", "κ"], field: COLUMNS[kind]}
        assert [row["value"] for row in score(tmp_path, table)[1]] == [1.0, 1.0]


def test_bytes_that_are_no_text_are_a_bad_line(tmp_path: Path) -> None:
    table = {"id": ["a", "b"], "response": [b"x", b"\xff"], "target": ["x", "x"]}
    _, rows, bad = score(tmp_path, table)
    assert [(row["id"], row["value"]) for row in rows] == [("a", 1.0), ("b", None)]
    assert bad == ["response: bytes that are not UTF-8"]
    summary, _, _ = score(
        tmp_path, {**table, "topic": ["t", "u"], "thumb": [b"\xff", b"\xff"]}, by="topic"
    )
    assert [(group.name, group.scored) for group in summary.breakdown] == [("t", 1), ("u", 0)]


def test_bytes_that_nothing_needs_are_no_fault(tmp_path: Path) -> None:
    thumb = pa.array([{"png": b"\xff\xfe"}, {"png": b"text"}])
    table = {
        "response": ["x", "y"],
        "target": ["x", "y"],
        "image": [b"\xff", b"text"],
        "thumb": thumb,
    }
    summary, rows, bad = score(tmp_path, table, by="image")
    assert ([row["value"] for row in rows], bad) == ([1.0, 1.0], [])
    assert [group.name for group in summary.breakdown] == ["text", "unknown"]


def test_other_columns_are_metadata_beside_an_object(tmp_path: Path) -> None:
    own = pa.array([{"level": 1, "topic": None}, {"level": 2, "topic": "own"}, None])
    table = {"response": ["x"] * 3, "target": ["x"] * 3, "topic": ["a", "b", "c"], "metadata": own}
    assert [group.name for group in score(tmp_path, table, by="topic")[0].breakdown] == [
        "a",
        "c",
        "own",
    ]
    (block,) = Source(str(tmp_path / "in.parquet")).blocks()
    assert [json.loads(line)["metadata"]["topic"] for line in block.data.splitlines()] == [
        "a",
        "own",
        "c",
    ]


@pytest.mark.parametrize(
    "kind", [pa.float16(), pa.float32(), pa.float64(), pa.decimal128(5, 1)], ids=str
)
def test_a_number_is_the_decimal_that_it_stands_for(kind: Any, tmp_path: Path) -> None:
    for values in ([0.1, 2.5], [0.3, 100.0]):
        column = pa.array(values).cast(kind)
        texts = [str(value) for value in values]
        table = {"response": texts, "target": column, "category": column}
        summary, rows, _ = score(tmp_path, table, by="category")
        assert [row["value"] for row in rows] == [1.0, 1.0]
        assert {float(group.name) for group in summary.breakdown} == set(values)
        assert [
            row["value"] for row in score(tmp_path, {"response": column, "target": texts})[1]
        ] == [1.0, 1.0]


@given(
    st.floats(width=32, allow_nan=False, allow_infinity=False),
    st.floats(width=16, allow_nan=False, allow_infinity=False),
)
def test_the_shortest_decimal_is_the_same_number(single: float, half: float) -> None:
    assert struct.unpack("f", struct.pack("f", shortest(single, 32)))[0] == single
    assert struct.unpack("e", struct.pack("e", shortest(half, 16)))[0] == half


def test_what_is_no_number_is_told_as_what_it_is(tmp_path: Path) -> None:
    table = {"response": ["1"] * 4, "target": [NAN, INF, -INF, None], "note": [NAN] * 4}
    bad = score(tmp_path, table)[2]
    assert bad == [
        *(
            f"target: {name} is no number that JSON can hold"
            for name in ("NaN", "Infinity", "-Infinity")
        ),
        "the field 'target' is null",
    ]
    table = {"response": [NAN, 1.0], "target": ["1.0", "1.0"], "note": [NAN, NAN]}
    assert [row["value"] for row in score(tmp_path, table)[1]] == [0.0, 1.0]


def test_nested_columns(tmp_path: Path) -> None:
    nested = pa.array(
        [{"answers": [[b"x"]], "weight": [("a", 0.1)]}, None],
        pa.struct(
            [
                ("answers", pa.list_(pa.list_(pa.binary()))),
                ("weight", pa.map_(pa.string(), pa.float32())),
            ]
        ),
    )
    table = {"response": ["x", "y"], "target": ["", "y"], "out": nested}
    fields = {"target": "out.answers.0.0"}
    _, rows, _ = score(tmp_path, table, fields=fields)
    assert [row["value"] for row in rows] == [1.0, None]
    assert (
        score(tmp_path, table, by="out")[0].breakdown[1].name
        == '{"answers":[["x"]],"weight":{"a":0.1}}'
    )


def test_the_columns_that_are_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        DataError,
        match=r"no column 'response': there are 'output', 'target'; .*--field response=NAME",
    ):
        score(tmp_path, {"output": ["x"], "target": ["x"]})


@pytest.mark.slow
def test_the_file_is_never_held_whole(tmp_path: Path) -> None:
    """A row group of 200 MB, in a process that may not have as much for its data."""
    rows = pa.table(
        {"response": [f"{n:05}" * 2_000 for n in range(20_000)], "target": ["x"] * 20_000}
    )
    pq.write_table(
        rows,
        tmp_path / "big.parquet",
        compression="none",
        use_dictionary=False,
        row_group_size=10**9,
    )
    del rows
    code = (
        "import resource, sys\nfrom steelyard.batch import ScorerPlan, Source, score_files\n"
        "import pyarrow.parquet\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "score_files(ScorerPlan(scorer='exact_match'), [Source(sys.argv[1])])\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "big.parquet"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(ran.stdout) < 100
