"""Tables of cells: every line is accounted for, whatever is wrong with it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.batch import Options, ScorerPlan, Source, Summary, csv_lines, score_files
from steelyard.batch.block import LINE_LIMIT
from steelyard.errors import DataError


def score(path: Path, **options: Any) -> tuple[Summary, list[dict[str, Any]]]:
    out = path.parent / "scored.jsonl"
    plan = ScorerPlan(scorer="exact_match", by="category")
    summary = score_files(plan, [Source(str(path))], Options(output=str(out), **options))
    return summary, [json.loads(line) for line in out.read_bytes().splitlines()]


def test_columns_and_cells(tmp_path: Path) -> None:
    text = 'response,target,metadata,error\nx,y,"{""category"": ""m""}",\n,y,,timed out\nx,y\nx,y,{,\n"x"z,y,,\nx,x,,\n'
    (tmp_path / "in.csv").write_bytes(text.encode() + b"\xff,x,,\n")
    bad: list[Any] = []
    summary, rows = score(tmp_path / "in.csv", on_bad=bad.append)
    assert [(b.line, b.message.split(":")[0]) for b in bad] == [
        (4, "2 cells where the header has 4"),
        (5, "metadata"),
        (6, "not CSV"),
        (8, "not UTF-8"),
    ]
    assert [row["line"] for row in rows] == [2, 3, 4, 5, 6, 7, 8]
    assert rows[1]["reason"] == "timed out"
    assert "m" in {group.name for group in summary.breakdown}


QUOTES = {
    "never closed": (
        '1,"a,a\n2,b,b\n\n3,c,c\n',
        [3, 4, 5, 6],
        "a quote opened on line 3 runs to line 6, the end of the file",
    ),
    "closed by the next quote": (
        '1,"a,a\n2,"b",b\n3,c,c\n',
        [3, 4],
        "a quote opened on line 3 runs to line 4: ",
    ),
    "too many cells": (
        '1,"a\nx",b,c,d\n2,b,b\n',
        [3, 4],
        "5 cells where the header has 3, in a row that runs from line 3",
    ),
}


@pytest.mark.parametrize("case", QUOTES)
def test_no_line_vanishes_in_a_quote(case: str, tmp_path: Path) -> None:
    text, lost, told = QUOTES[case]
    (tmp_path / "in.csv").write_text("id,response,target\n0,x,x\n" + text)
    bad: list[Any] = []
    summary, rows = score(tmp_path / "in.csv", on_bad=bad.append)
    assert [found.line for found in bad] == lost
    assert told in bad[0].message
    assert bad[-1].message == "belongs to the broken row of line 3"
    assert summary.total == len(rows) == summary.scored + len(lost)
    assert [row["line"] for row in rows] == list(range(2, 2 + len(rows)))


def test_many_lines_in_a_quote_come_block_by_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_lines, "LINE_LIMIT", 50_000)
    (tmp_path / "in.csv").write_text('id,response,target\n1,"a,a\n' + "2,b,b\n" * 30_000)
    summary, rows = score(tmp_path / "in.csv")
    assert [row["line"] for row in rows] == list(range(2, 30_003))
    assert summary.scored + summary.bad_lines == 30_001
    csv.field_size_limit(LINE_LIMIT)
    assert (
        8_000 < summary.bad_lines < 9_000
    )  # then the cell is longer than any, and the next line begins a row


@pytest.mark.parametrize("open_quote", ["", '"'])
def test_a_line_that_is_too_long_is_told_as_such_and_not_kept(
    open_quote: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_lines, "LINE_LIMIT", 1000)
    monkeypatch.setattr(csv_lines, "_PORTION", 300)
    head, long = "response,target\nx,x\n", open_quote + "a" * 5000
    hashes = []
    for ending in ("b", "c"):
        (tmp_path / "in.csv").write_text(
            f"{head}{long}{ending}{open_quote},x\r\nx,x\n{long},x\nx,x"
        )
        bad: list[Any] = []
        summary, rows = score(tmp_path / "in.csv", on_bad=bad.append)
        assert [(found.line, found.message) for found in bad] == [
            (3, "longer than 64 MiB"),
            (5, "longer than 64 MiB"),
        ]
        assert [(row["line"], row["value"]) for row in rows] == [
            (2, 1.0),
            (3, None),
            (4, 1.0),
            (5, None),
            (6, 1.0),
        ]
        hashes.append(summary.signature.data)
    assert len({*hashes}) == 2  # each by all that stands there
    (tmp_path / "in.csv").write_text(long + "\nx\n")
    with pytest.raises(DataError, match=r"in.csv:1: longer than 64 MiB"):
        score(tmp_path / "in.csv")
    csv.field_size_limit(LINE_LIMIT)


def test_a_bad_line_has_the_id_of_its_cell(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(
        b"id,response,target,metadata\na,x,x,{\nb,x\nc,\xff,x,\n\xff,x,x,\n"
    )
    assert [(row["id"], row["value"]) for row in score(tmp_path / "in.csv")[1]] == [
        ("a", None),
        ("b", None),
        ("c", None),
        (5, None),
    ]
    (tmp_path / "in.csv").write_bytes(b"response,id,target\nx,y,b,x\n")
    assert score(tmp_path / "in.csv")[1][0]["id"] == 2  # which cell is one too many cannot be told


@pytest.mark.parametrize(
    ("header", "row", "group"),
    [
        ("category,metadata", b"g,{", "g"),
        ("metadata,category", b"{,g", "g"),
        ("metadata,verified", b'"{""category"": ""g""}",{', "g"),
        ("metadata,category", b'"{""category"": ""own""}",\xff', "own"),
        ("category,other", b"g,\xff", "g"),
        ("category,metadata", b'\xff,"{}"', "unknown"),
        ("category", b"", ""),
        ("other,metadata", b'x,"{""category"": null}"', "unknown"),
    ],
)
def test_a_bad_row_stays_in_the_group_that_can_be_read(
    header: str, row: bytes, group: str, tmp_path: Path
) -> None:
    (tmp_path / "in.csv").write_bytes(f"response,target,{header}\nx,x,".encode() + row + b"\n")
    summary, _ = score(tmp_path / "in.csv")
    assert [(found.name, found.total) for found in summary.breakdown] == [(group, 1)]


def test_all_bad_cells_of_a_row_are_told_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("verified,response,target,metadata,truth\n{,x,x,[,]\n")
    bad: list[Any] = []
    score(tmp_path / "in.csv", on_bad=bad.append)
    assert [told.split(":")[0] for told in bad[0].message.split("; ")] == [
        "verified",
        "metadata",
        "truth",
    ]


@pytest.mark.parametrize(
    ("cell", "right"),
    [
        ('"[""Paris"", ""Lutetia""]"', ["It is Paris.", "It is Lutetia."]),
        ("Paris", ["It is Paris."]),
        ('"[1, 2]"', ["It is [1, 2]."]),
        ('"[""Paris"", 7]"', []),
        ("[]", ["It is Rome."]),
        ("", ["It is Rome."]),
    ],
)
def test_several_correct_answers_stand_in_a_cell(
    cell: str, right: list[str], tmp_path: Path
) -> None:
    responses = ["It is Paris.", "It is Lutetia.", "It is [1, 2].", "It is Rome."]
    for kind, mark in (("csv", ","), ("tsv", "\t")):
        lines = [
            ("response", "target", "correct_answers"),
            *((f'"{response}"', "Rome", cell) for response in responses),
        ]
        (tmp_path / f"in.{kind}").write_text("".join(mark.join(line) + "\n" for line in lines))
        summary = score_files(
            ScorerPlan(scorer="fuzzy_match"),
            [Source(str(tmp_path / f"in.{kind}"))],
            Options(output=str(tmp_path / "out.jsonl")),
        )
        rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
        assert [
            response for response, row in zip(responses, rows, strict=True) if row["value"] == 1.0
        ] == right
        assert summary.scored == 4


def test_json_in_a_cell_may_run_over_lines(tmp_path: Path) -> None:
    text = 'response,target,metadata\nx,x,"{""category"":\r\n ""m""}"\ny,y,\n'
    (tmp_path / "in.csv").write_bytes(text.encode())
    summary, rows = score(tmp_path / "in.csv")
    assert [(row["line"], row["value"]) for row in rows] == [(2, 1.0), (4, 1.0)]
    assert [group.name for group in summary.breakdown] == ["m", "unknown"]


def test_other_columns_are_metadata_beside_an_object(tmp_path: Path) -> None:
    cells = ('a,"{""level"": 1}"', "b,{}", 'c,"{""category"": ""own"", ""n"": NaN}"', "d,")
    text = "".join(f"x,x,{cell}\n" for cell in cells)
    (tmp_path / "in.csv").write_text("response,target,category,metadata\n" + text)
    summary, _ = score(tmp_path / "in.csv")
    assert [group.name for group in summary.breakdown] == ["a", "b", "d", "own"]
    assert [found["category"] for found in metadata_of(tmp_path / "in.csv")] == [
        "a",
        "b",
        "own",
        "d",
    ]


def metadata_of(path: Path, **names: str) -> list[Any]:
    blocks = list(Source(str(path), names=names).blocks())
    return [
        json.loads(line)[names.get("metadata", "metadata")]
        for block in blocks
        for line in block.data.splitlines()
    ]


def test_a_column_that_got_a_meaning_is_no_metadata(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text('out,target,topic,meta\nx,y,t,"{""n"": 1e400}"\nx,y,u,\n')
    found = metadata_of(tmp_path / "in.csv", response="out", metadata="meta")
    assert found == [{"topic": "t", "n": float("inf")}, {"topic": "u"}]
    assert metadata_of(tmp_path / "in.csv", response="out")[1] == {"topic": "u", "meta": ""}


@pytest.mark.parametrize("before", ["\n\n", "\r\n  \r\n", "\ufeff\n"])
def test_blank_lines_before_the_header_are_passed_over(before: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes((before + "response,target\nx,x\nx,y\n").encode())
    first = before.count("\n") + 2
    assert [(row["line"], row["value"]) for row in score(tmp_path / "in.csv")[1]] == [
        (first, 1.0),
        (first + 1, 0.0),
    ]
    (tmp_path / "in.csv").write_bytes((before + "response,gold\nx,x\n").encode())
    with pytest.raises(DataError, match=rf"in.csv:{first - 1}: no column 'target'"):
        score(tmp_path / "in.csv")
