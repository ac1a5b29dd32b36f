"""What verifying a run came to: the differences, and what could not be computed."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from steelyard.runs.journal import JournalState
from steelyard.runs.run_file import RunFile
from steelyard.spill import Records
from steelyard.version import __version__

Result = Literal["reproduced", "reproduced, except", "not reproduced", "not recomputed"]
Kind = Literal["score", "judge verdict", "code verdict"]
# Means and intervals may come from another processor: their last digits are not compared.
DIGITS = 1e-9
_SHOWN = 60
_BEFORE = 20


class Difference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value of a file that is not the computed one.

    A ``note`` says what is wrong with a line or a file as a whole.

    >>> print(Difference(file="scores.jsonl", line=4, field="value", stated=1.0, computed=0.0))
    scores.jsonl:4, value: stated 1.0, computed 0.0
    """

    file: str
    line: int | None = None
    sample: str | None = None
    field: str = ""
    stated: Any | UnsetType = UNSET
    computed: Any | UnsetType = UNSET
    note: str = ""

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        named = [where, f"sample {self.sample}" if self.sample else "", self.field]
        told = self.note or "stated {}, computed {}".format(*excerpts(self.stated, self.computed))
        return f"{', '.join(filter(None, named))}: {told}"


def walk(stated: Any, computed: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path of each value that differs, with both values; UNSET stands for a missing one.

    >>> list(walk({"a": [1, 2], "b": 1.0}, {"a": [1, 3], "c": None}))
    [('a[1]', 2, 3), ('c', UNSET, None), ('b', 1.0, UNSET)]
    """
    if isinstance(stated, Mapping) and isinstance(computed, Mapping):
        for key in [*computed, *(key for key in stated if key not in computed)]:
            inner = f"{path}.{key}" if path else str(key)
            yield from walk(stated.get(key, UNSET), computed.get(key, UNSET), inner)
    elif isinstance(stated, list) and isinstance(computed, list) and len(stated) == len(computed):
        for place, (one, other) in enumerate(zip(stated, computed, strict=True)):
            yield from walk(one, other, f"{path}[{place}]")
    elif not _same(stated, computed):
        yield path, stated, computed


def _same(stated: Any, computed: Any) -> bool:
    if isinstance(stated, bool) or isinstance(computed, bool):
        return stated is computed
    if isinstance(stated, int | float) and isinstance(computed, int | float):
        return math.isclose(stated, computed, rel_tol=DIGITS, abs_tol=DIGITS)
    return bool(stated == computed)


def excerpts(stated: Any, computed: Any) -> tuple[str, str]:
    """Two values for a reader; of long texts the part at which they begin to differ.

    >>> excerpts("x" * 90 + "1", "x" * 90 + "2")
    ('…xxxxxxxxxxxxxxxxxxxx1"', '…xxxxxxxxxxxxxxxxxxxx2"')
    """
    one, other = _text(stated), _text(computed)
    first = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    start = 0 if max(len(one), len(other)) <= _SHOWN else max(0, first - _BEFORE)
    return _cut(one, start), _cut(other, start)


def _text(value: Any) -> str:
    return "nothing" if value is UNSET else json.dumps(value, ensure_ascii=False)


def _cut(text: str, start: int) -> str:
    end = start + _SHOWN
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"


class Verification:
    """A run held against what its own files come to when they are computed again.

    ``recomputed`` counts scores by their kind, ``files`` names those that were compared, and
    ``excepted`` counts what could not be computed by what it is and why.
    """

    def __init__(self, about: RunFile) -> None:
        self.benchmark, self.model = about.benchmark, about.model
        self.run_version, self.version = str(about.shapes.get("engine", "")), __version__
        self.journal: JournalState | None = None
        self.broken = False
        self.recomputed: Counter[Kind] = Counter()
        self.files: list[str] = []
        self.excepted: Counter[tuple[str, str]] = Counter()
        self.differences: Records[Difference] = Records(Difference)
        self.by_choice = 0

    def differ(self, file: str, **found: Any) -> None:
        """Add a difference."""
        self.differences.add(Difference(file=file, **found))

    def compare(self, file: str, field: str, stated: Any, computed: Any) -> None:
        """Add a difference if two values of a file that must agree do not."""
        if stated != computed:
            self.differ(file, field=field, stated=stated, computed=computed)

    def skip(self, what: str, why: str, *, by_choice: bool = False) -> None:
        """Count something that was not computed; ``by_choice``: because the caller wanted it so."""
        self.excepted[what, why] += 1
        self.by_choice += by_choice

    @property
    def result(self) -> Result:
        """Whether what could be computed agrees with what the files state."""
        if len(self.differences):
            return "not reproduced"
        skipped = any(what != "file" for what, _ in self.excepted)
        if not (self.files or self.recomputed) or (
            skipped and not self.recomputed and not self.by_choice
        ):
            return "not recomputed"
        return "reproduced, except" if self.excepted else "reproduced"

    @property
    def exit_code(self) -> int:
        """0 if all that was computed agrees, 1 at a difference, 3 if nothing could be computed."""
        return {"not reproduced": 1, "not recomputed": 3}.get(self.result, 0)

    @property
    def sentence(self) -> str:
        """The result with all that could not be computed, on one line."""
        left = [
            why if what == "file" else f"{count:,} {what}{'' if count == 1 else 's'}: {why}"
            for (what, why), count in self.excepted.items()
        ]
        if self.result == "not reproduced":
            count = len(self.differences)
            told = f"not reproduced: {count:,} difference{'' if count == 1 else 's'}"
            return f"{told}; not recomputed: {'; '.join(left)}" if left else told
        if self.result == "not recomputed":
            return f"not recomputed: {'; '.join(left)}"
        return f"reproduced, except {'; '.join(left)}" if left else "reproduced"

    @property
    def chain(self) -> str:
        """The state of the journal's chain in a word or two."""
        if self.journal is None:
            return "missing"
        if self.broken:
            return "broken"
        if not self.journal.chained_from:
            return "not chained"
        return "chained" if self.journal.chained_from == 1 else "partly chained"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        journal = self.journal
        return {
            "result": self.result,
            "exit_code": self.exit_code,
            "benchmark": self.benchmark,
            "model": self.model,
            "run_version": self.run_version,
            "version": self.version,
            "journal": {
                "chain": self.chain,
                "lines": journal.last.lines if journal else 0,
                "notes": journal.notes if journal else [],
            },
            "recomputed": {"files": self.files, "scores": dict(self.recomputed)},
            "except": [
                {"what": what, "why": why, "count": count}
                for (what, why), count in self.excepted.items()
            ],
            "differences": msgspec.to_builtins(list(self.differences)),
        }
