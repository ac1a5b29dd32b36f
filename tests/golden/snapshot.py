"""Turn what a command prints and writes into text that can be compared byte for byte.

Masked is only what may vary: times, random ids, the order of completion, the words of reasons and
messages, digests in the journal, the machine, and the versions of the program and its scorers.
Floats keep twelve significant digits, because the last ones depend on the processor.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

# Their lines are in the order of completion or of random ids, and are sorted by these fields.
UNORDERED = {"journal.jsonl", "judge.jsonl", "timings.jsonl", "export.jsonl"}
ORDER = ("kind", "key", "created_at", "entered_at", "at", "published_at", "scope")
TEXT = r'"(?:[^"\\]|\\.)*"'
WORDS = "reason|message|why|what|warning|description|summary|error|fix|stderr|meaning"
TIMES = r"seconds|rows_per_second|ended|wall_s|cpu_s|peak_memory|at|\w+_at|deadline|seed"


def _mask_reasons(match: re.Match[str]) -> str:
    """Mask reasons that are counted, and reasons by name; keep counts and names."""
    body = re.sub(rf"{TEXT}(: ?\d)", r'"<words>"\1', match[2])
    return match[1] + re.sub(rf"(: ?){TEXT}", r'\1"<words>"', body)


MASKS = (
    # The words of a reason or a message. A reason that is null or empty stays visible.
    (re.compile(rf'("(?:{WORDS})": ?)(?!""){TEXT}'), r'\1"<words>"'),
    (re.compile(rf'("(?:{TIMES})": ?)-?[0-9][0-9.eE+-]*'), r"\1<time>"),
    # Without control groups the memory of a program is not known.
    (re.compile(r'("peak_memory": ?)null'), r"\1<time>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)?"), "<time>"),
    (re.compile(r'("sessions": )\[.*?\n  \]', re.DOTALL), r"\1<sessions>"),
    (re.compile(r'("(?:environment|sandbox)": ?)\{.*?\}', re.DOTALL), r"\1<machine>"),
    (re.compile(r'("(?:unscored_)?reasons": ?)(\{.*?\})', re.DOTALL), _mask_reasons),
    (re.compile(r'("(?:asked|by|judge_digest)": ?)"[0-9a-f]{12,}"'), r'\1"<digest>"'),
    # The chain of a journal. Other digests are longer and must not change.
    (re.compile(r'("(?:chain|digest)": ?)"[0-9a-f]{32}"'), r'\1"<digest>"'),
    # Versions of the program and of the stock scorers: steelyard:0.1.0, numeric_match@0.1.0.
    (re.compile(r"(\w\\?[:@])\d+\.\d+\.\d+\w*"), r"\1<version>"),
    (re.compile(r'("(?:engine|steelyard|version)": ?)"\d+\.\d+\.\d+\w*"'), r'\1"<version>"'),
)
FLOAT = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?")
RANDOM_ID = re.compile(r"\b(ag|m)_[0-9a-f]{12,}\b")


class _VisibleText(HTMLParser):
    """The text of a page, one line for each piece, without styles and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._hidden += tag in {"style", "script"}

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in {"style", "script"}

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.lines.append(" ".join(data.split()))


def _gzip_text(data: bytes) -> str:
    return gzip.decompress(data).decode()


def _zstd_text(data: bytes) -> str:
    import pyarrow as pa

    return pa.CompressedInputStream(pa.py_buffer(data), "zstd").read().decode()


def _parquet_text(data: bytes) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(data))
    columns = [f"{field.name}: {field.type}" for field in table.schema]
    rows = [json.dumps(row, ensure_ascii=False) for row in table.to_pylist()]
    return "\n".join([*columns, *rows, ""])


def _page_text(data: bytes) -> str:
    parser = _VisibleText()
    parser.feed(data.decode())
    return "\n".join([*parser.lines, ""])


READERS: dict[str, Callable[[bytes], str]] = {
    ".gz": _gzip_text,
    ".zst": _zstd_text,
    ".parquet": _parquet_text,
    ".html": _page_text,
}


def read_text(path: Path) -> str:
    """Read a file as text; packed files are unpacked, of a page the visible text is taken."""
    text = READERS.get(path.suffix, bytes.decode)(path.read_bytes())
    if path.name in UNORDERED:
        text = "\n".join([*sorted(text.splitlines(), key=_place), ""])
    return text


def _place(line: str) -> tuple[str, ...]:
    row = json.loads(line)
    return tuple(f"{row.get(name, '')!s:>20}" for name in ORDER)


def mask(text: str, folder: Path) -> str:
    """Replace what may vary from run to run.

    >>> mask('{"value":0.3333333333333333,"reason":"expected 2"}', Path("/tmp/x"))
    '{"value":0.333333333333,"reason":"<words>"}'
    """
    text = text.replace(str(folder), "<folder>")
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    seen: dict[str, str] = {}
    text = RANDOM_ID.sub(lambda m: seen.setdefault(m[0], f"{m[1]}_{len(seen) + 1}"), text)
    return FLOAT.sub(_rounded, text)


def _rounded(match: re.Match[str]) -> str:
    return f"{float(match[0]):.12g}" if len(match[0]) > 14 else match[0]
