"""From a response to the programs that it may mean, in the order in which they are tried.

A response may hold the whole function or only its body, in one block of code or in several, with examples of its use
behind it. Each reading is a complete source: the first that loads and has the entry point is the one that counts. A
reading that finds the entry point written out goes before one that takes a snippet for its body, and both before one
in which only the place of the function is kept.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from steelyard.grading.definitions import LONGEST, defines, is_real, parsed
from steelyard.grading.pieces import behind_prelude, parts
from steelyard.grading.prompt import Prompt
from steelyard.reading.code_blocks import CodeBlock, code_blocks

_PYTHON = frozenset(
    {"", "python", "py", "python3", "py3", "python2", "python3.11", "ipython", "cpython"}
)
_SHOWN = frozenset({"text", "txt", "output", "plaintext", "plain", "console", "stdout", "log"})
_CODE_LINE = re.compile(r"^(?:def|class|import|from|async def|@)\b", re.MULTILINE)
_INDENTATION = re.compile(r"^[ \t\u00a0]+", re.MULTILINE)
MOST_READINGS = 12
_MOST_TRIMS = 60
_MOST_STARTS = 8
_MOST_BLOCKS = 100  # that are tried alone: each takes the grader's own time
_MOST_READ = 200_000  # characters, in all trials together
_WRITTEN, _COMPLETED, _IDLE = range(3)


class Reading(NamedTuple):
    """One program that the response may mean; ``code`` is what of it stands in the response, at ``span``."""

    source: str
    code: str
    span: tuple[int, int]


class _Program(NamedTuple):
    code: str
    span: tuple[int, int]
    loose: bool  # no fence says where it ends


class _Source(NamedTuple):
    rank: int
    source: str
    code: str


def readings(response: str, prompt: str, entry_point: str) -> tuple[Reading, ...]:
    """All readings, the likeliest first; none where the response has no code in it.

    >>> [reading.source for reading in readings("    return a + b", "def add(a, b):\\n", "add")]
    ['def add(a, b):\\n    return a + b']
    """
    asked = Prompt.read(prompt, entry_point)
    programs = _programs(response)
    found = [(source, program) for program in programs for source in _sources(program, asked)]
    found.sort(key=lambda pair: pair[0].rank)
    first: dict[str, Reading] = {}
    for (_, source, code), program in found:
        if source not in first:
            first[source] = Reading(source, code, _place(response, code, program.span))
    if not first and programs:
        last = programs[min(1, len(programs) - 1)]
        return (Reading(last.code, last.code, last.span),)
    return tuple(itertools.islice(first.values(), MOST_READINGS))


def _place(response: str, code: str, span: tuple[int, int]) -> tuple[int, int]:
    """Where the code stands verbatim, or else where that stands of which it was made."""
    start = response.find(code, *span)
    return (start, start + len(code)) if start >= 0 else span


def _programs(response: str) -> list[_Program]:
    """All blocks as one program, then the last one alone, then the ones before it."""
    blocks = [block for block in code_blocks(response) if block.code.strip()]
    blocks = [block for block in blocks if block.language not in _SHOWN] or blocks
    blocks = [block for block in blocks if block.language in _PYTHON] or blocks
    single = [
        _Program(b.code, b.span, b.stage in {"whole", "open fence"})
        for b in reversed(blocks[-_MOST_BLOCKS:])
    ]
    return [_joined(blocks), *single] if len(blocks) > 1 else single


def _joined(blocks: Sequence[CodeBlock]) -> _Program:
    span = blocks[0].span[0], blocks[-1].span[1]
    return _Program(
        "\n\n".join(block.code for block in blocks), span, blocks[-1].stage == "open fence"
    )


def _sources(program: _Program, asked: Prompt) -> Iterator[_Source]:
    code = _typed(program.code)
    if len(code) > LONGEST:
        yield _Source(_WRITTEN, code, program.code)  # so long that it is taken as it is
        return
    tree = parsed(code)
    written = list(_written(code, tree, program.loose, asked))
    yield from written
    if not written or written[0].rank != _WRITTEN:
        yield from _completed(code, program.loose, asked)
    if tree is not None and not program.loose and not written:
        yield _Source(_IDLE, behind_prelude(code, tree, asked.prelude), code)


def _typed(code: str) -> str:
    """The code as one types it: no mark of the byte order, no indentation by spaces that do not break."""
    code = _INDENTATION.sub(
        lambda found: found[0].replace("\xa0", " "), code.lstrip("\ufeff\u200b")
    )
    plain = code.replace("\xa0", " ")
    return plain if plain != code and parsed(code) is None and parsed(plain) is not None else code


def _written(code: str, whole: ast.Module | None, loose: bool, asked: Prompt) -> Iterator[_Source]:
    """The code with the entry point in it, first whole and then without what it does not need."""
    for text in itertools.chain([code], _trimmed(code) if loose and whole is None else ()):
        tree = whole if text is code else parsed(text)
        if tree is None or not defines(tree, asked.entry_point):
            continue
        rank = _WRITTEN if is_real(tree, asked.entry_point) else _IDLE
        yield _Source(rank, behind_prelude(text, tree, asked.prelude), text)
        for part in parts(text, tree, asked.entry_point):
            yield _Source(rank, behind_prelude(part, parsed(part) or tree, asked.prelude), text)
        return


def _completed(code: str, loose: bool, asked: Prompt) -> Iterator[_Source]:
    """The prompt with the code as the body of its last function; prose behind it is cut off line by line."""
    idle = None
    name = asked.entry_point.rpartition(".")[2]
    # A function inside the one of its name is hardly what is meant.
    rank = (
        _IDLE if re.search(rf"^\s*(?:async\s+)?def\s+{name}\b", code, re.MULTILINE) else _COMPLETED
    )
    for text in itertools.chain([code], _shortened(code) if loose and asked.open else ()):
        source, real = asked.completed_by(text) or ("", False)
        if real:
            yield _Source(rank, source, text)
            return
        idle = idle or (_Source(_IDLE, source, text) if source else None)
    if idle is not None:
        yield idle


def _trimmed(code: str) -> Iterator[str]:
    """The text from a line of code on, as far as it is Python: prose around code without a fence."""
    starts = itertools.islice(_CODE_LINE.finditer(code), _MOST_STARTS)
    texts = [code[first.start() :] for first in starts]
    yield from texts[: 1 + _MOST_READ // (len(code) + 1)]
    for text in texts[:2]:
        yield from _shortened(text)


def _shortened(text: str) -> Iterator[str]:
    """The text without its last lines, one more each time."""
    lines = text.split("\n")
    most = min(_MOST_TRIMS, _MOST_READ // (len(text) + 1))
    for end in range(len(lines) - 1, max(0, len(lines) - 1 - most), -1):
        yield "\n".join(lines[:end]) + "\n"
