"""Inputs: every format and compression gives the same rows; what cannot be read says so."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.batch import Options, ScorerPlan, Source, Summary, score_files
from steelyard.batch import block as blocks
from steelyard.batch import source as sources
from steelyard.batch.source import whole_lines
from steelyard.errors import DataError

ROWS = [
    {"id": "a", "response": "Answer: 1,000", "target": "1000", "category": "x"},
    {"id": "b", "response": 'He said "42",\nthen left.', "target": "43", "category": "y"},
    {"id": "c", "response": "κόσμε 7", "target": "7", "category": "x"},
    {"id": "d", "response": "", "target": "5", "category": "y"},
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def write_csv(path: Path, delimiter: str = ",") -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(ROWS)


def write_zstd(path: Path, data: bytes) -> None:
    with pa.CompressedOutputStream(str(path), "zstd") as stream:
        stream.write(data)


WRITERS: dict[str, Callable[[Path], object]] = {
    "in.jsonl": lambda path: path.write_bytes(LINES),
    "in.ndjson": lambda path: path.write_bytes(b"\xef\xbb\xbf" + LINES),
    "crlf.jsonl": lambda path: path.write_bytes(LINES.replace(b"\n", b"\r\n\r\n")),
    "noend.jsonl": lambda path: path.write_bytes(LINES.rstrip()),
    "in.jsonl.gz": lambda path: path.write_bytes(gzip.compress(LINES)),
    "parts.jsonl.gz": lambda path: path.write_bytes(gzip.compress(LINES[:50]) + gzip.compress(LINES[50:])),
    "misnamed.jsonl": lambda path: path.write_bytes(gzip.compress(LINES)),
    "in.jsonl.zst": lambda path: write_zstd(path, LINES),
    "in.csv": write_csv,
    "in.tsv": lambda path: write_csv(path, "\t"),
    "in.parquet": lambda path: pq.write_table(pa.Table.from_pylist(ROWS), path),
}


def score(path: Path, **options: Any) -> tuple[Summary, list[dict[str, Any]]]:
    out = path.parent / "scored.jsonl"
    plan = ScorerPlan(scorer="numeric_match", by="category")
    summary = score_files(plan, [Source(str(path))], Options(output=str(out), **options))
    return summary, [json.loads(line) for line in out.read_bytes().splitlines()]


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_scores(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    summary, rows = score(tmp_path / name)
    assert [row["id"] for row in rows] == ["a", "b", "c", "d"]
    assert [row["value"] for row in rows] == [1.0, 0.0, 1.0, 0.0]
    assert [(group.name, group.total, group.mean) for group in summary.breakdown] == [
        ("x", 2, 1.0),
        ("y", 2, 0.0),
    ]


def test_the_line_is_that_of_the_file(tmp_path: Path) -> None:
    wanted = {
        "in.jsonl": [1, 2, 3, 4],
        "crlf.jsonl": [1, 3, 5, 7],
        "in.csv": [2, 3, 5, 6],
        "in.parquet": [1, 2, 3, 4],
    }
    for name, lines in wanted.items():
        WRITERS[name](tmp_path / name)
        assert [row["line"] for row in score(tmp_path / name)[1]] == lines


def test_the_hash_is_that_of_the_unpacked_bytes(tmp_path: Path) -> None:
    wanted = hashlib.sha256(LINES).hexdigest()
    for name in ("in.jsonl", "in.jsonl.gz", "in.jsonl.zst"):
        WRITERS[name](tmp_path / name)
        assert score(tmp_path / name)[0].signature.data == wanted
    (tmp_path / "other.jsonl").write_bytes(LINES + b"\n")
    assert score(tmp_path / "other.jsonl")[0].signature.data != wanted


def test_columns_of_csv(tmp_path: Path) -> None:
    text = 'response,target,metadata,error\nx,y,"{""category"": ""m""}",\n,y,,timed out\nx,y\nx,y,{,\n"x"z,y,,\nx,x,,\n'
    (tmp_path / "in.csv").write_bytes(text.encode() + b"\xff,x,,\n")
    bad: list[Any] = []
    summary, rows = score(tmp_path / "in.csv", on_bad=bad.append)
    assert [(b.line, b.message.split(":")[0]) for b in bad] == [
        (4, "2 cells where the header has 4"), (5, "metadata"), (6, "not CSV"), (8, "not UTF-8"),
    ]  # fmt: skip
    assert [row["line"] for row in rows] == [2, 3, 4, 5, 6, 7, 8]
    assert rows[1]["reason"] == "timed out"
    assert "m" in {group.name for group in summary.breakdown}


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("in.jsonl", b"", "no rows"),
        ("in.jsonl", b"\n \n\r\n", "no rows"),
        ("in.csv", b"", "no rows"),
        ("in.csv", b"response,target\n", "no rows"),
        ("in.csv", b"response,response\na,b\n", "twice"),
        ("in.jsonl", "{}".encode("utf-16"), "UTF-16"),
        ("in.jsonl.gz", gzip.compress(LINES)[:-9], "damaged gzip"),
        ("in.jsonl.gz", b"\x1f\x8bnonsense", "damaged gzip"),
        ("in.jsonl.zst", b"\x28\xb5\x2f\xfdnonsense", "cannot be read"),
        ("in.parquet", b"PAR1 nonsense", "not Parquet"),
        ("in.txt", LINES, "format"),
    ],
)
def test_files_that_cannot_be_read(name: str, data: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    (tmp_path / "scored.jsonl").write_text("what was there before")
    with pytest.raises(DataError, match=told) as caught:
        score(tmp_path / name)
    assert name in str(caught.value)
    assert (tmp_path / "scored.jsonl").read_text() == "what was there before"


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        Source(str(tmp_path / "none.jsonl"))
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(DataError, match="a folder"):
        Source(str(tmp_path / "folder.jsonl"))


@given(st.binary(max_size=60).map(lambda data: data.replace(b"a", b"\n")), st.integers(1, 7))
def test_lines_are_never_cut(data: bytes, size: int) -> None:
    pieces = list(whole_lines(data[i : i + size] for i in range(0, len(data), size)))
    assert b"".join(piece for piece, _ in pieces) == data
    assert all(piece.endswith(b"\n") for piece, _ in pieces[:-1])


def test_a_line_beyond_all_bounds_is_a_bad_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LINE_LIMIT", 2 * blocks.BLOCK_BYTES)
    good = b'{"response":"7","target":"7"}\n'
    long = b'{"response":"' + b"7" * 3 * blocks.BLOCK_BYTES + b'","target":"7"}\n'
    (tmp_path / "in.jsonl").write_bytes(good + long + good + long.rstrip())
    bad: list[Any] = []
    _, rows = score(tmp_path / "in.jsonl", on_bad=bad.append)
    assert [b.line for b in bad] == [2, 4]
    assert [row["value"] for row in rows] == [1.0, None, 1.0, None]
    assert [row["line"] for row in rows] == [1, 2, 3, 4]


def test_a_huge_line_within_bounds_is_scored(tmp_path: Path) -> None:
    long = json.dumps({"response": "word " * 400_000 + "7", "target": "7"}).encode()
    (tmp_path / "in.jsonl").write_bytes(long + b"\n" + LINES)
    _, rows = score(tmp_path / "in.jsonl")
    assert [row["value"] for row in rows] == [1.0, 1.0, 0.0, 1.0, 0.0]
