"""The score door: files in, scores out, a summary at the end."""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from steelyard.batch.above import printing_above
from steelyard.batch.block import BadLine, Block
from steelyard.batch.pace import Pace
from steelyard.batch.plan import Plan
from steelyard.batch.reading import Reading
from steelyard.batch.score_block import ScoredBlock
from steelyard.batch.signature import signature
from steelyard.batch.sink import Sink, open_sink
from steelyard.batch.source import Source
from steelyard.batch.summary import InputFile, Summary, groups, headline, without_mean
from steelyard.batch.tally import Tally
from steelyard.engine import Engine, InProcess, Interrupt, LocalProcesses
from steelyard.errors import EngineError

# Below this many bytes, starting workers costs more than they bring.
SMALL = 1_000_000
# Where rows are scored at the same time, the last of a block are waited for; so a block has several for each.
_LEAST_EACH = 4


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to run; none of it changes a score but ``limit``.

    ``protect`` are files besides the inputs that the output must not replace. ``bar`` says that one is shown on standard error.
    ``on_target`` is told of each row without a score since its scorer cannot read the target; ``strict`` stops at these too.
    """

    output: str | None = None
    workers: int = 1
    strict: bool = False
    limit: int | None = None
    protect: tuple[str, ...] = ()
    bar: bool = False
    on_bad: Callable[[BadLine], None] = lambda bad: None
    on_target: Callable[[BadLine], None] = lambda unread: None
    on_progress: Callable[[int, Tally], None] = lambda read, tally: None
    on_start: Callable[[], None] = lambda: None


def score_files(plan: Plan, sources: Sequence[Source], options: Options | None = None) -> Summary:
    """Score every row of the sources and return the summary.

    The output has one line for each row, in order, and only whole lines, however the run ends. It is the
    same for any number of workers.
    """
    options = options or Options()
    bound = plan.with_options(strict=options.strict, with_file=len(sources) > 1)
    bound.check()
    started = time.perf_counter()
    reading = Reading(sources, limit=options.limit, needs=bound.needs, strict=options.strict)
    pace = Pace(least=_LEAST_EACH * bound.at_once if bound.at_once > 1 else 1)
    with Interrupt(signal.SIGINT, signal.SIGTERM) as interrupt, contextlib.ExitStack() as stack:
        engine = _engine(bound, sources, options, interrupt)
        stack.callback(engine.close)
        blocks = _started(reading, interrupt)
        sink = open_sink(options.output, [*(s.path for s in sources), *options.protect])
        options.on_start()
        with contextlib.redirect_stdout(sys.stderr):
            tally, written = _drain(engine.map(pace.cut(blocks)), sink, options, pace)
        stopped_by = interrupt.signal
        if not stopped_by:
            _refuse_loss(reading.rows, tally.all.total, written)
        tally.settle()
        ran = _Outcome(
            [source.name for source in sources],
            reading,
            tally,
            stopped_by,
            time.perf_counter() - started,
        )
        # Still deaf: a second Ctrl-C must not take away what the first one asked for.
        return _summary(bound, ran, options.output)


def _started(reading: Reading, interrupt: Interrupt) -> Iterator[Block]:
    """The blocks, once there is one; whoever is told to end while it waits for that leaves nothing behind."""
    try:
        with interrupt.breakable():
            return reading.start()
    except KeyboardInterrupt:
        if interrupt.signal == signal.SIGTERM:
            raise SystemExit(128 + signal.SIGTERM) from None
        raise


def _engine(
    plan: Plan, sources: Sequence[Source], options: Options, interrupt: Interrupt
) -> Engine[Block, ScoredBlock]:
    sizes = [source.size for source in sources]
    small = None not in sizes and sum(size or 0 for size in sizes) < SMALL and not plan.slow
    if plan.apart:
        build = functools.partial(printing_above, plan.build) if options.bar else plan.build
        return LocalProcesses(build, workers=options.workers, interrupt=interrupt, watch=True)
    if options.workers <= 1 or small:
        return InProcess(plan.build, interrupt=interrupt)
    return LocalProcesses(plan.build, workers=options.workers, interrupt=interrupt)


def _drain(
    results: Iterator[ScoredBlock], sink: Sink, options: Options, pace: Pace
) -> tuple[Tally, int]:
    """What all blocks came to, and how many lines were written."""
    tally, written = Tally(), 0
    try:
        for done in results:
            sink.write(done.data)
            written += done.data.count(b"\n")
            tally.merge(done.tally)
            pace.note(rows=done.lines, seconds=done.seconds)
            if (
                options.strict
                and (first := next(iter((*done.bad, *done.targets)), None)) is not None
            ):
                raise first.error()
            for bad in done.bad:
                options.on_bad(bad)
            for unread in done.targets:
                options.on_target(unread)
            options.on_progress(done.read, tally)
    finally:
        sink.close()
    return tally, written


def _refuse_loss(read: int, counted: int, written: int) -> None:
    """A number over other rows than those that were read is no result, whatever made it so."""
    if not read == counted == written:
        raise EngineError(
            f"{read} rows were read, {counted} counted and {written} written; these have to agree"
        )


class _Outcome(NamedTuple):
    """What a run leaves for its summary."""

    names: list[str]
    reading: Reading
    tally: Tally
    signal: int
    seconds: float

    @property
    def files(self) -> list[InputFile]:
        """The inputs with their hashes; without, where not all that was asked for has been scored."""
        hashes = self.reading.digests() if self.complete else [None] * len(self.names)
        return [
            InputFile(name=name, sha256=found)
            for name, found in zip(self.names, hashes, strict=True)
        ]

    @property
    def complete(self) -> bool:
        return not self.signal and self.reading.broken is None


def _summary(plan: Plan, ran: _Outcome, output: str | None) -> Summary:
    tally, seconds, broken = ran.tally, ran.seconds, ran.reading.broken
    signed = signature(plan.identity, ran.reading.digest() if ran.complete else None)
    summary = Summary(
        **headline(tally.all),
        bad_lines=tally.bad,
        repeated_ids=tally.repeated,
        failures=tally.failures.analysis(),
        unscored_reasons=tally.why.counts(),
        results=dict(sorted(tally.results.items())),
        by=plan.by,
        breakdown=groups(tally),
        scorer=plan.identity,
        signature=signed,
        signature_text=str(signed),
        files=ran.files,
        output=output,
        interrupted=ran.signal != 0,
        signal=ran.signal,
        broken=None if broken is None else str(broken),
        seconds=round(seconds, 3),
        rows_per_second=round(tally.all.total / seconds, 1) if seconds > 0 else 0.0,
    )
    return without_mean(summary) if summary.mostly_bad else summary
