"""Frames of Zstandard, in any order and cut anywhere, with what is none behind them."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.batch import Options, ScorerPlan, Source, Summary, score_files
from steelyard.batch.zstd import Unpacked
from steelyard.errors import DataError

MAGIC = b"\x28\xb5\x2f\xfd"
EMPTY_WITH_CHECKSUM = MAGIC + b"\x24\x00\x01\x00\x00\x99\xe9\xd8\x51"
REPEATED = MAGIC + b"\x20\x05\x2b\x00\x00a"
OTHER = b"\x5a\x2a\x4d\x18\x03\x00\x00\x00xyz"
ROWS = b"".join(json.dumps({"response": str(n), "target": "7"}).encode() + b"\n" for n in range(10))


def at_once(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


def in_blocks(data: bytes) -> bytes:
    held = pa.BufferOutputStream()
    with pa.CompressedOutputStream(held, "zstd") as stream:
        stream.write(data)
    return held.getvalue().to_pybytes()


def read(packed: bytes, size: int) -> tuple[bytes, bool]:
    """All that can be read, and whether something else follows."""
    stream, found = Unpacked(io.BytesIO(packed)), b""
    try:
        while piece := stream.read(size):
            found += piece
    except OSError as wrong:
        return found, str(wrong) == "what follows the data is no zstd"
    return found, False


FRAMES = [
    (at_once(b"some text " * 50), b"some text " * 50),
    (in_blocks(b"in pieces " * 50), b"in pieces " * 50),
    (in_blocks(bytes(range(256)) * 2000), bytes(range(256)) * 2000),
    (at_once(b""), b""),
    (EMPTY_WITH_CHECKSUM, b""),
    (REPEATED, b"aaaaa"),
    (OTHER, b""),
]


@given(
    st.lists(st.sampled_from(FRAMES), min_size=1, max_size=6),
    st.sampled_from([1000, 16_384, 10**6]),
    st.sampled_from([b"", b"x", b"garbage behind", b"\0" * 9, MAGIC[:3], b"{}\n"]),
)
def test_every_frame_is_read_and_what_follows_is_told(
    frames: list[tuple[bytes, bytes]], size: int, behind: bytes
) -> None:
    packed, wanted = b"".join(one for one, _ in frames), b"".join(text for _, text in frames)
    assert read(packed + behind, size) == (wanted, bool(behind))


def scored(path: Path, *, strict: bool = False) -> Summary:
    return score_files(
        ScorerPlan(scorer="exact_match"), [Source(str(path))], Options(strict=strict)
    )


@pytest.mark.parametrize("name", ["in.jsonl.gz", "in.jsonl.zst"])
def test_garbage_behind_a_small_file_takes_no_row_along(name: str, tmp_path: Path) -> None:
    packed = gzip.compress(ROWS) if name.endswith(".gz") else at_once(ROWS)
    (tmp_path / name).write_bytes(packed + b"garbage behind")
    summary = scored(tmp_path / name)
    assert (summary.total, summary.correct, summary.exit_code) == (10, 1, 2)
    assert summary.broken is not None
    assert summary.broken.endswith(", after line 10")
    assert summary.signature.data is None
    with pytest.raises(DataError, match="damaged"):
        scored(tmp_path / name, strict=True)


@pytest.mark.parametrize("cut", [5, 6, 8, 40])
def test_one_that_was_cut_off_is_damaged(cut: int, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl.zst").write_bytes(at_once(ROWS)[:cut])
    with pytest.raises(DataError, match="damaged zstd data"):
        scored(tmp_path / "in.jsonl.zst")
