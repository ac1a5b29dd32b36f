"""A run that lies in its folder, opened to be read: what it came to, and its samples one after the other."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from steelyard.errors import DataError
from steelyard.metrics.tables import html_table
from steelyard.runs.files import ATTEMPTS, FAILURES, JUDGE, RESULTS, SCORES, TIMINGS, read_json
from steelyard.runs.frames import SAMPLE_COLUMNS, Framed, sample_cells
from steelyard.runs.journal import JournalState, check_journal
from steelyard.runs.lines import sample_place
from steelyard.runs.results import FORMAT
from steelyard.runs.run_file import RunFile
from steelyard.runs.sample_row import (
    AskedLine,
    JudgeReply,
    SampleRow,
    ScoredLine,
    TimedLine,
    joined,
)
from steelyard.score import Part
from steelyard.spill import Column, KeyIndex

T = TypeVar("T")


class Run(Framed):
    """A run and its samples; nothing in its folder is changed.

    ``results`` and ``failures`` are the files of these names, ``about`` is ``run.json``; ``journal`` is the state of
    the journal and its chain. ``to_pandas()`` and
    ``to_polars()`` give a frame with one row for each sample.
    """

    def __init__(
        self,
        folder: Path,
        about: RunFile,
        results: dict[str, Any],
        journal: JournalState | None = None,
    ) -> None:
        self.folder, self.about, self.results, self.journal = folder, about, results, journal

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, benchmark={self.benchmark!r}, model={self.model!r}, samples={self.total})"

    def _repr_html_(self) -> str:
        head = self.results.get("headline", {})
        rows: list[tuple[str, Any]] = [("model", self.model), ("score", _bounds(head))]
        rows += [
            (name, _bounds(one))
            for name, one in self.results.get("metrics", {}).items()
            if name != "mean_reward"
        ]
        rows += [
            ("scored / total", f"{head.get('scored', 0):,} / {head.get('total', 0):,}"),
            ("status", self.about.status),
            ("signature", self.signature),
        ]
        return html_table(["", ""], rows, caption=self.benchmark)

    def frame_columns(self) -> Mapping[str, str]:
        """The columns of a frame of samples."""
        return SAMPLE_COLUMNS

    def frame_rows(self) -> Iterator[Mapping[str, Any]]:
        """The samples as rows of a frame."""
        return map(sample_cells, self.samples(judge=False))

    @property
    def benchmark(self) -> str:
        """The name of the benchmark."""
        return self.about.benchmark

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.about.model

    @property
    def signature(self) -> str:
        """What two runs share whose numbers can be compared."""
        return self.about.signature

    @property
    def journal_notes(self) -> list[str]:
        """What a reader should know of the journal: that it is not chained, or not complete."""
        return [
            f"the journal of {self.folder.name}: {note}"
            for note in (self.journal.notes if self.journal else ())
        ]

    @property
    def total(self) -> int:
        """How many samples there are: problems times repeats."""
        return self.about.problems * self.about.repeats

    @functools.cached_property
    def failures(self) -> dict[str, Any]:
        """Why samples failed, as ``failure_analysis.json`` has it."""
        return _object(self.folder / FAILURES)

    def samples(self, *, judge: bool = True, timings: bool = True) -> Iterator[SampleRow]:
        """Every sample in the order of the benchmark.

        Without ``judge`` the judge's replies are not looked up, and without ``timings`` not how long replies took.

        The files are read side by side, a line at a time. One that is missing, torn or does not belong to the others is
        a DataError that names the file and the line.
        """
        seconds = (
            _seconds(self.folder / TIMINGS, self.total, self.about.repeats) if timings else None
        )
        replies = _Replies(self.folder / JUDGE) if judge else None
        scored = _lines(self.folder / SCORES, ScoredLine)
        asked = _lines(self.folder / ATTEMPTS, AskedLine)
        try:
            for place in range(self.total):
                score = self._next(scored, place, SCORES)
                attempt = self._next(asked, place, ATTEMPTS)
                if score.id != attempt.id:
                    told = f"is about the problem {score.id!r}, and {ATTEMPTS} has {attempt.id!r} there"
                    raise DataError(told, file=str(self.folder / SCORES), line=place + 1)
                took = None if seconds is None or math.isnan(known := seconds[place]) else known
                said = (
                    replies.of(score, self.folder / SCORES, place + 1)
                    if replies and score.judged
                    else ()
                )
                yield joined(score, attempt, took, said)
            for lines, name in ((scored, SCORES), (asked, ATTEMPTS)):
                if next(lines, None) is not None:
                    raise DataError(
                        f"the run has {self.total} samples, and here are more",
                        file=str(self.folder / name),
                        line=self.total + 1,
                    )
        finally:
            scored.close()
            asked.close()
            if replies is not None:
                replies.close()

    def _next(self, lines: Iterator[T], place: int, name: str) -> T:
        """The line of the sample at that place."""
        found = next(lines, None)
        problem, repeat = divmod(place, self.about.repeats)
        want = f"{problem}.{repeat}"
        if found is None:
            raise DataError(
                f"ends here, and the run has {self.total} samples",
                file=str(self.folder / name),
                line=place + 1,
            )
        if (got := getattr(found, "key", None)) != want:
            raise DataError(
                f"is the sample {got}, and {want} is due here",
                file=str(self.folder / name),
                line=place + 1,
            )
        return found


def open_run(folder: str | os.PathLike[str]) -> Run:
    """The run in that folder; a DataError where there is none, or one that has not come to results yet.

    So is a run whose journal was edited: its chain is broken.
    """
    path = Path(folder)
    about = RunFile.read(path)
    if not (path / RESULTS).exists():
        raise DataError(
            f"the run has no {RESULTS} yet; going on with it writes one", file=str(path)
        )
    return Run(path, about, read_results(path), check_journal(path, about.journal))


def read_results(folder: Path) -> dict[str, Any]:
    """``results.json`` of a run; a DataError where a newer version wrote it."""
    found = _object(folder / RESULTS)
    if isinstance(number := found.get("format"), int) and number > FORMAT:
        raise DataError(
            f"has the format {number}; this version of steelyard reads up to {FORMAT}",
            file=str(folder / RESULTS),
        )
    return found


def _bounds(found: Mapping[str, Any]) -> str:
    """A number of ``results.json`` with its interval, for a reader."""
    value, lower, upper = (found.get(name) for name in ("value", "ci_lower", "ci_upper"))
    shown = ["–" if one is None else f"{one:.4f}" for one in (value, lower, upper)]
    return f"{shown[0]} [{shown[1]}, {shown[2]}]"


def _object(path: Path) -> dict[str, Any]:
    found = read_json(path)
    if not isinstance(found, dict):
        raise DataError("is no JSON object", file=str(path))
    return found


def _lines(path: Path, kind: type[T]) -> Any:
    """The lines of a file, each read as ``kind``; a generator, so that it can be closed."""
    decoder = msgspec.json.Decoder(kind)
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                yield _read(decoder, line, path, number)
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=str(path)) from None


def _read(decoder: msgspec.json.Decoder[T], line: bytes, path: Path, number: int) -> T:
    if not line.endswith(b"\n"):
        raise DataError("the line is torn: it has no end", file=str(path), line=number)
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as wrong:
        raise DataError(f"cannot be read: {wrong}", file=str(path), line=number) from None


def _seconds(path: Path, total: int, repeats: int) -> Column:
    """How long each sample took, by its place; NaN where nothing was measured."""
    found = Column("d", total, fill=math.nan)
    for number, line in enumerate(_lines(path, TimedLine), 1):
        place = sample_place(line.key, total // repeats, repeats)
        if place is None:
            raise DataError(f"the run has no sample {line.key!r}", file=str(path), line=number)
        found[place] = line.seconds
    return found


class _Kept(msgspec.Struct):
    """What is read of a reply of the judge's."""

    text: str
    reasoning: str = ""


class _Call(msgspec.Struct):
    key: str
    reply: _Kept


class _Replies:
    """The judge's replies by the key of the call: only their places are kept in memory."""

    def __init__(self, path: Path) -> None:
        self._path, self._file = path, -1
        self._places: KeyIndex | None = None
        self._decoder = msgspec.json.Decoder(_Call)

    def of(self, score: ScoredLine, path: Path, number: int) -> tuple[JudgeReply, ...]:
        """All that was said about a sample, whose line this is."""
        places, found = self._places or self._open(), []
        for key in _calls(score.detail, score.parts):
            if (place := places.get(key)) is None:
                raise DataError(
                    f"names the judge's call {key}, which {JUDGE} does not have",
                    file=str(path),
                    line=number,
                )
            line = os.pread(self._file, place.length, place.start)
            kept = self._decoder.decode(line).reply
            found.append(JudgeReply(key=key, text=kept.text, reasoning=kept.reasoning))
        return tuple(found)

    def _open(self) -> KeyIndex:
        places, offset = KeyIndex(), 0
        try:
            with self._path.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    key = _read(self._decoder, line, self._path, number).key
                    places.add(key, offset, len(line))
                    offset += len(line)
            self._file = os.open(self._path, os.O_RDONLY)
        except OSError as failed:
            raise DataError(
                f"cannot be read: {failed.strerror or failed}", file=str(self._path)
            ) from None
        self._places = places
        return places

    def close(self) -> None:
        """Let go of the file."""
        if self._places is not None:
            self._places.close()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _calls(detail: dict[str, Any], parts: tuple[Part, ...]) -> Iterator[str]:
    """The keys of the calls that a score came from, those of its parts included."""
    named = detail.get("calls")
    if isinstance(named, list):
        yield from (key for key in named if isinstance(key, str))
    for part in parts:
        yield from _calls(part.score.detail, part.score.parts)
