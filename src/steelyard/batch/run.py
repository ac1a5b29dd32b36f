"""The score door: files in, scores out, a summary at the end."""

from __future__ import annotations

import contextlib
import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from steelyard.batch.block import BadLine, Block
from steelyard.batch.plan import Plan
from steelyard.batch.score_block import ScoredBlock
from steelyard.batch.signature import dataset_hash, signature
from steelyard.batch.sink import Sink, open_sink
from steelyard.batch.source import Source
from steelyard.batch.summary import InputFile, Summary, groups, headline
from steelyard.batch.tally import Tally
from steelyard.engine import Engine, InProcess, Interrupt, LocalProcesses
from steelyard.errors import DataError

# Below this many bytes, starting workers costs more than they bring.
SMALL = 1_000_000


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to run; none of it changes a score but ``limit``.

    ``protect`` are files besides the inputs that the output must not replace.
    """

    output: str | None = None
    workers: int = 1
    strict: bool = False
    limit: int | None = None
    protect: tuple[str, ...] = ()
    on_bad: Callable[[BadLine], None] = lambda bad: None
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
    with Interrupt() as interrupt, contextlib.ExitStack() as stack:
        engine = _engine(bound, sources, options, interrupt)
        stack.callback(engine.close)
        with interrupt.breakable():
            blocks = _first_checked(_limited(_all_blocks(sources), options.limit), sources)
        sink = open_sink(options.output, [*(s.path for s in sources), *options.protect])
        options.on_start()
        with contextlib.redirect_stdout(sys.stderr):
            tally = _drain(engine.map(blocks), sink, options)
        interrupted = interrupt.requested
    return _summary(bound, sources, options, tally, (time.perf_counter() - started, interrupted))


def _engine(
    plan: Plan, sources: Sequence[Source], options: Options, interrupt: Interrupt
) -> Engine[Block, ScoredBlock]:
    sizes = [source.size for source in sources]
    small = None not in sizes and sum(size or 0 for size in sizes) < SMALL
    if plan.apart:
        workers = 1 if small else options.workers
        return LocalProcesses(plan.build, workers=workers, interrupt=interrupt, watch=True)
    if options.workers <= 1 or small:
        return InProcess(plan.build, interrupt=interrupt)
    return LocalProcesses(plan.build, workers=options.workers, interrupt=interrupt)


def _all_blocks(sources: Sequence[Source]) -> Iterator[Block]:
    for source in sources:
        yield from source.blocks()


def _first_checked(blocks: Iterator[Block], sources: Sequence[Source]) -> Iterator[Block]:
    """The blocks, once there is one: a file that cannot be read fails before the output is touched."""
    held: list[Block] = []
    for block in blocks:
        held.append(block)
        if block.bad or block.data.strip():
            return _chain(held, blocks)
    raise DataError("there are no rows to score", file=", ".join(source.name for source in sources))


def _chain(held: list[Block], rest: Iterator[Block]) -> Iterator[Block]:
    yield from held
    yield from rest


def _limited(blocks: Iterator[Block], limit: int | None) -> Iterator[Block]:
    if limit is None:
        yield from blocks
        return
    for block in blocks:
        if limit <= 0:
            return
        cut, taken = _cut(block, limit)
        limit -= taken
        yield cut


def _cut(block: Block, limit: int) -> tuple[Block, int]:
    """The first rows of a block, good or bad, and how many those are; blank lines are no rows."""
    texts = block.data.split(b"\n")
    lines: Iterable[int] = itertools.count(block.first) if block.lines is None else block.lines
    numbered = list(zip(lines, texts, strict=False))
    rows = sorted([line for line, text in numbered if text.strip()] + [bad.line for bad in block.bad])
    if len(rows) <= limit:
        return block, len(rows)
    last = rows[limit - 1]
    kept = [(line, text) for line, text in numbered if line <= last]
    return block._replace(
        data=b"".join(text + b"\n" for _, text in kept),
        lines=None if block.lines is None else tuple(line for line, _ in kept),
        bad=tuple(bad for bad in block.bad if bad.line <= last),
    ), limit


def _drain(results: Iterator[ScoredBlock], sink: Sink, options: Options) -> Tally:
    tally = Tally()
    try:
        for done in results:
            sink.write(done.data)
            tally.merge(done.tally)
            if done.bad and options.strict:
                first = done.bad[0]
                raise DataError(first.message, file=first.file, line=first.line)
            for bad in done.bad:
                options.on_bad(bad)
            options.on_progress(done.read, tally)
    finally:
        sink.close()
    return tally


def _summary(
    plan: Plan, sources: Sequence[Source], options: Options, tally: Tally, ran: tuple[float, bool]
) -> Summary:
    seconds, interrupted = ran
    digests = [source.hash.hexdigest() if source.complete else None for source in sources]
    whole = [digest for digest in digests if digest is not None]
    data = dataset_hash(whole) if len(whole) == len(sources) and not interrupted else None
    signed = signature(plan.identity, data, options.limit)
    return Summary(
        **headline(tally.all),
        bad_lines=tally.bad,
        failures=tally.failures.analysis(),
        unscored_reasons=dict(tally.reasons.most_common()),
        results=dict(sorted(tally.results.items())),
        by=plan.by,
        breakdown=groups(tally),
        scorer=plan.identity,
        signature=signed,
        signature_text=str(signed),
        files=[InputFile(name=s.name, sha256=d) for s, d in zip(sources, digests, strict=True)],
        output=options.output,
        interrupted=interrupted,
        seconds=round(seconds, 3),
        rows_per_second=round(tally.all.total / seconds, 1) if seconds > 0 else 0.0,
    )
