"""A block of rows in, a block of scored lines and their tally out: what each worker does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import repeat
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from steelyard.batch.block import BadLine, Block
from steelyard.batch.full_json import dumps_mended
from steelyard.batch.problems import attempts_of
from steelyard.batch.rows import Rows, TargetError, Unreadable
from steelyard.batch.tally import Tally, group_name
from steelyard.errors import DataError, EngineError, SpecError
from steelyard.foreign import shown
from steelyard.score import Part, Score, unscored

MAX_REASON = 300


class ScoredRow(msgspec.Struct, omit_defaults=True, gc=False):
    """One line of the output: the row's id and line, and its Score."""

    id: Any
    line: int
    value: float | None
    correct: bool
    extracted: Any = UNSET
    span: tuple[int, int] | None = None
    reason: str = ""
    parts: tuple[Part, ...] = ()
    detail: dict[str, Any] = {}
    pending: bool = False
    file: str | UnsetType = UNSET


# Adds what the rows of a block, their scores and their lines say of failures to the tally.
Note = Callable[[Tally, list[Any], list[Score], list[int]], None]


class ScoredBlock(NamedTuple):
    """The output lines of a block, in order, with what they add to the summary, and how long it took.

    ``targets`` are rows without a score since their scorer cannot read the target.
    """

    data: bytes
    tally: Tally
    bad: tuple[BadLine, ...]
    targets: tuple[BadLine, ...]
    read: int
    lines: int
    seconds: float


class BlockScorer:
    """Scores block after block with one scorer; ``note`` adds what the kind of row knows of failures.

    ``by`` names the key of the groups, ``strict`` ends a block before its first bad line, or its first bad target.
    ``stop`` ends what the threads wait for when a block is left early.
    """

    def __init__(
        self,
        rows: Rows,
        score: Callable[[Any], Score],
        note: Note,
        *,
        by: str | None = None,
        strict: bool = False,
        with_file: bool = False,
        threads: int = 1,
        stop: Callable[[], None] | None = None,
    ) -> None:
        self._rows, self._score, self._note = rows, score, note
        self._by, self._strict, self._with_file, self._threads = by, strict, with_file, threads
        self._stop = stop
        self._encoder = msgspec.json.Encoder(enc_hook=shown, decimal_format="number")
        # Where someone watches, the number of the line at hand, so that a sudden end can be told with it.
        self.place: Any = None

    def __call__(self, block: Block) -> ScoredBlock:
        """The block's scores; a bad line is reported, and stands in the output as a row without a score."""
        started = time.perf_counter()
        lines, rows = self._rows.block(block)
        if block.bad:
            lines, rows = _merged(lines, rows, [(bad.line, self._unread(bad)) for bad in block.bad])
        scores, bad, targets = self._scores(block, lines, rows)
        del lines[len(scores) :], rows[len(scores) :]
        data = self._encode(block.file, lines, rows, scores)
        tally = self._tally(lines, rows, scores, bad)
        took = time.perf_counter() - started
        return ScoredBlock(data, tally, tuple(bad), tuple(targets), block.read, block.size, took)

    def _unread(self, bad: BadLine) -> Unreadable:
        """A bad line as a row, with what could be read of it."""
        if not bad.rest:
            return Unreadable(bad.message, bad.id)
        rest = self._rows.line(bad.rest)
        return Unreadable(
            bad.message, bad.id, metadata=rest.metadata, group=getattr(rest, "group", None)
        )

    def _scores(
        self, block: Block, lines: list[int], rows: list[Any]
    ) -> tuple[list[Score], list[BadLine], list[BadLine]]:
        scores: list[Score] = []
        bad: list[BadLine] = []
        targets: list[BadLine] = []
        keep = scores.append
        for score, row in self._outcomes(lines, rows):
            try:
                keep(score(row))
            except EngineError as failed:
                scores.append(unscored(str(failed)))
            except TargetError as unread:
                targets.append(_bad(block, lines[len(scores)], unread.score.reason))
                if self._strict:
                    break
                scores.append(unread.score)
            except (DataError, SpecError) as wrong:
                told = shown(wrong.message if isinstance(wrong, DataError) else wrong)
                message = "; ".join(told.splitlines())
                bad.append(_bad(block, lines[len(scores)], message))
                if self._strict:
                    break
                scores.append(unscored(f"bad line: {message}"))
        return scores, bad, targets

    def _outcomes(
        self, lines: list[int], rows: list[Any]
    ) -> Iterable[tuple[Callable[[Any], Score], Any]]:
        """What gives, or raises, the outcome of each row, in order; with threads, several are worked out at once."""
        if self._threads > 1:
            return self._at_once(rows)
        return zip(
            repeat(self._score),
            rows if self.place is None else self._watched(lines, rows),
            strict=False,
        )

    def _at_once(self, rows: list[Any]) -> Iterator[tuple[Callable[[Any], Score], Any]]:
        pool = ThreadPoolExecutor(self._threads)
        complete = False
        try:
            yield from [(_outcome, pool.submit(self._score, row)) for row in rows]
            complete = True
        finally:
            pool.shutdown(wait=complete, cancel_futures=True)
            if not complete and self._stop is not None:
                self._stop()
            pool.shutdown()

    def _watched(self, lines: list[int], rows: list[Any]) -> Iterator[Any]:
        for line, row in zip(lines, rows, strict=True):
            self.place.value = line
            yield row

    def _encode(
        self, file: str, lines: Sequence[int], rows: Sequence[Any], scores: list[Score]
    ) -> bytes:
        name = file if self._with_file else UNSET
        out = [
            ScoredRow(
                line if row.id is None else row.id,
                line,
                s.value,
                s.correct,
                s.extracted,
                s.span,
                s.reason,
                s.parts,
                s.detail,
                s.pending,
                name,
            )
            for line, row, s in zip(lines, rows, scores, strict=True)
        ]
        try:
            return self._encoder.encode_lines(out)
        except (TypeError, ValueError, OverflowError, RecursionError):
            return b"".join(self._encode_one(out, scores, place) for place in range(len(out)))

    def _encode_one(self, out: list[ScoredRow], scores: list[Score], place: int) -> bytes:
        """One line; evidence that cannot be written is our fault, and leaves the row without a score."""
        row = out[place]
        try:
            return self._encoder.encode(row) + b"\n"
        except UnicodeEncodeError:
            return dumps_mended(row) + b"\n"
        except (TypeError, ValueError, OverflowError, RecursionError) as wrong:
            scores[place] = unscored(f"the score cannot be written as JSON: {type(wrong).__name__}")
            plain = ScoredRow(
                row.id, row.line, None, False, reason=scores[place].reason, file=row.file
            )
            return self._encoder.encode(plain) + b"\n"

    def _tally(
        self, lines: list[int], rows: list[Any], scores: list[Score], bad: list[BadLine]
    ) -> Tally:
        tally = Tally()
        tally.all.add(scores)
        tally.bad = len(bad)
        wrong = {found.line for found in bad}
        names = None if self._by is None else [self._group(row) for row in rows]
        if names is not None:
            tally.add_groups(names, scores)
        if tally.all.scored < tally.all.total:
            for line, score in zip(lines, scores, strict=True):
                if score.value is None:
                    tally.reasons["bad line" if line in wrong else score.reason[:MAX_REASON]] += 1
        tally.attempts = attempts_of(rows, scores, names)
        self._note(tally, rows, scores, lines)
        return tally

    def _group(self, row: Any) -> str:
        inner = (row.metadata or {}).get(self._by)
        return group_name(row.group if inner is None else inner)


def _bad(block: Block, line: int, message: str) -> BadLine:
    return BadLine(block.file, line, message, unit=block.unit)


def _outcome(worked_out: Future[Score]) -> Score:
    return worked_out.result()


def _merged(
    lines: list[int], rows: list[Any], unread: list[tuple[int, Unreadable]]
) -> tuple[list[int], list[Any]]:
    every = sorted([*zip(lines, rows, strict=True), *unread], key=_line)
    return [line for line, _ in every], [row for _, row in every]


def _line(entry: tuple[int, Any]) -> int:
    return entry[0]
