"""Blocks that follow the pace of the scorer: every row once, in order, and as many of them as fit into a moment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from steelyard.batch import Options, ScorerPlan, Source, score_files
from steelyard.batch.block import BadLine, Block
from steelyard.batch.pace import BLOCK_SECONDS, Pace
from steelyard.batch.sink import open_sink

LINES = b'{"response":"1","target":"1"}\n\n{"response":"2","target":"1"}\r\nnonsense\n{"response":"3","target":"1"}'


def test_a_slow_scorer_gets_few_rows_and_a_fast_one_whole_blocks() -> None:
    pace, data = Pace(), b"{}\n" * 5000
    whole = Block("f", 1, 5000, data, None, (), len(data))
    sizes = []
    for block in pace.cut([whole, whole]):
        sizes.append(block.size)
        pace.note(rows=block.size, seconds=block.size * 1e-6)
    assert sizes == [1, 8, 64, 512, 4096, 319, 5000]
    for seconds, rows in ((BLOCK_SECONDS, 1), (BLOCK_SECONDS / 4, 4), (BLOCK_SECONDS * 9, 1)):
        pace.note(rows=1, seconds=seconds)
        assert next(pace.cut([whole])).size == rows


def test_rows_that_are_scored_together_stay_together() -> None:
    pace = Pace(least=8)
    pace.note(rows=1, seconds=100)
    assert [block.size for block in pace.cut([Block("f", 1, 20, b"{}\n" * 20)])] == [8, 8, 4]


def test_the_pieces_hold_what_the_whole_held() -> None:
    bad = tuple(BadLine("f", line, "broken") for line in (3, 4))
    whole = Block("f", 2, 6, b'{"a":1}\n{"a":2}\n{"a":3}\n', (2, 5, 6), bad, 100)
    pieces = list(Pace(least=2).cut([whole]))
    assert [
        (piece.first, piece.last, piece.lines, [b.line for b in piece.bad]) for piece in pieces
    ] == [(2, 3, (2,), [3]), (4, 5, (5,), [4]), (6, 6, (6,), [])]
    assert b"".join(piece.data for piece in pieces) == whole.data
    assert sum(piece.read for piece in pieces) == whole.read


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_how_rows_are_divided_shapes_no_byte(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that share an id are told as examples in their order, wherever a block ends between them."""
    (tmp_path / "in.jsonl").write_bytes(
        LINES
        + b"".join(b'\n{"id":7,"response":"no %d","target":"x"}' % n for n in range(20, 0, -1))
    )
    note = Pace.note
    monkeypatch.setattr(
        Pace, "note", lambda pace, *, rows, **_: note(pace, rows=rows, seconds=seconds)
    )
    got: dict[str, Any] = {}
    for name in ("out.jsonl", "out.parquet"):
        bad: list[BadLine] = []
        options = Options(output=str(tmp_path / name), on_bad=bad.append)
        summary = score_files(
            ScorerPlan(scorer="exact_match"), [Source(str(tmp_path / "in.jsonl"))], options
        )
        got[name] = (tmp_path / name).read_bytes()
        assert [found.line for found in bad] == [4]
    assert [json.loads(line)["line"] for line in got["out.jsonl"].splitlines()] == [
        1,
        3,
        4,
        *range(5, 26),
    ]
    assert [one["response_preview"] for one in summary.failures["exemplars"]][:2] == ["2", "3"]
    assert summary.failures["exemplars"][2]["response_preview"] == "no 20"
    assert pq.ParquetFile(tmp_path / "out.parquet").num_row_groups == 1


def test_the_groups_of_a_parquet_file_do_not_tell_how_it_was_written(tmp_path: Path) -> None:
    lines = [
        b'{"id":%d,"line":%d,"value":1.0,"correct":true,"reason":"%s"}\n' % (n, n, b"x" * 1000)
        for n in range(3000)
    ]
    for name, step in (("one", 1), ("many", 700)):
        sink = open_sink(str(tmp_path / f"{name}.parquet"))
        for at in range(0, len(lines), step):
            sink.write(b"".join(lines[at : at + step]))
        sink.close()
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "many.parquet").read_bytes()
    assert pq.ParquetFile(tmp_path / "one.parquet").num_row_groups == 4
