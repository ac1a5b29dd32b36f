"""The rows that a run scores: those of all sources, in order, up to the limit, hashed as they pass."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Sequence

from steelyard.batch.block import Block
from steelyard.batch.source import MalformedError, Source
from steelyard.errors import DataError


class Reading:
    """One pass over the sources; when it is over, the hashes are those of exactly the rows that it gave, ``rows`` of them.

    An input that breaks off after its first rows ends the pass: ``broken`` says why. ``strict`` raises it,
    and a document that is malformed as a whole is always raised.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        *,
        limit: int | None = None,
        needs: Sequence[str] = (),
        strict: bool = False,
    ) -> None:
        self.broken: DataError | None = None
        self.rows = 0
        self._sources, self._limit, self._needs, self._strict = sources, limit, needs, strict
        self._all = hashlib.sha256()
        # One source's rows are all rows; no byte is hashed twice for nothing.
        self._each = [hashlib.sha256() for _ in sources] if len(sources) > 1 else [self._all]

    def start(self) -> Iterator[Block]:
        """The blocks, once there is one: a file that cannot be read fails before the output is touched, and so does a table
        without a column that is needed, wherever it stands."""
        for source in self._sources[1:]:
            source.check(self._needs)
        blocks = self._blocks()
        held: list[Block] = []
        for block in blocks:
            if block.size:
                held.append(block)
            if block.bad or block.data.strip():
                return self._rest(held, blocks)
        raise DataError(
            "there are no rows to score", file=", ".join(source.name for source in self._sources)
        )

    def digest(self) -> str:
        """The hash of all rows, however they are spread over files."""
        return self._all.hexdigest()

    def digests(self) -> list[str]:
        """The hash of each source's rows."""
        return [found.hexdigest() for found in self._each]

    def _rest(self, held: list[Block], blocks: Iterator[Block]) -> Iterator[Block]:
        try:
            yield from held
            yield from blocks
        except MalformedError:
            raise
        except DataError as broken:
            if self._strict:
                raise
            self.broken = broken

    def _blocks(self) -> Iterator[Block]:
        left = self._limit
        for source, own in zip(self._sources, self._each, strict=True):
            for whole in source.blocks(self._needs, most=left):
                block, taken = (whole, 0) if left is None else _cut(whole, left)
                content = block.content
                self.rows += block.rows
                self._all.update(content)
                if own is not self._all:
                    own.update(content)
                yield block
                left = None if left is None else left - taken
                if left == 0:
                    return


def _cut(block: Block, limit: int) -> tuple[Block, int]:
    """The first rows of a block, good or bad, and how many those are; blank lines are no rows."""
    texts = block.data.split(b"\n")
    lines: Iterable[int] = itertools.count(block.first) if block.lines is None else block.lines
    numbered = list(zip(lines, texts, strict=False))
    rows = sorted(
        [line for line, text in numbered if text.strip()] + [bad.line for bad in block.bad]
    )
    if len(rows) <= limit:
        return block, len(rows)
    last = rows[limit - 1]
    kept = [(line, text) for line, text in numbered if line <= last]
    return block._replace(
        last=last,
        data=b"".join(text + b"\n" for _, text in kept),
        lines=None if block.lines is None else tuple(line for line, _ in kept),
        bad=tuple(bad for bad in block.bad if bad.line <= last),
    ), limit
