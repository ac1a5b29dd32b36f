"""From a response to the programs that it may mean, in the order in which they are tried.

A response may hold the whole function or only its body, in one block of code or in several, with examples of its use
behind it. Each reading is a complete source: the first that loads and has the entry point is the one that counts.
"""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from steelyard.extract.code import CodeBlock, code_blocks
from steelyard.grading.prompt import LONGEST, Prompt, defines, parsed

_PYTHON = frozenset({"", "python", "py", "python3", "py3", "python2", "python3.11", "ipython", "cpython"})
_SHOWN = frozenset({"text", "txt", "output", "plaintext", "plain", "console", "stdout", "log"})
_CODE_LINE = re.compile(r"^(?:def|class|import|from|async def|@)\b", re.MULTILINE)
MOST_READINGS = 12
_MOST_TRIMS = 60
_LONGEST_TRIM = 30_000


class Reading(NamedTuple):
    """One program that the response may mean; ``code`` is what of it stands in the response, at ``span``."""

    source: str
    code: str
    span: tuple[int, int]


class _Program(NamedTuple):
    code: str
    span: tuple[int, int]
    loose: bool  # no fence says where it ends


def readings(response: str, prompt: str, entry_point: str) -> tuple[Reading, ...]:
    """All readings, the likeliest first; none where the response has no code in it.

    >>> [reading.source for reading in readings("    return a + b", "def add(a, b):\\n", "add")]
    ['def add(a, b):\\n    return a + b']
    """
    asked = Prompt.read(prompt, entry_point)
    found: dict[str, Reading] = {}
    programs = _programs(response)
    for program in programs:
        for source in _sources(program, asked):
            found.setdefault(source, Reading(source, program.code, program.span))
    if not found and programs:
        last = programs[min(1, len(programs) - 1)]
        return (Reading(last.code, last.code, last.span),)
    return tuple(itertools.islice(found.values(), MOST_READINGS))


def _programs(response: str) -> list[_Program]:
    """All blocks as one program, then the last one alone, then the ones before it."""
    blocks = [block for block in code_blocks(response) if block.code.strip()]
    blocks = [block for block in blocks if block.language not in _SHOWN] or blocks
    blocks = [block for block in blocks if block.language in _PYTHON] or blocks
    single = [_Program(b.code, b.span, b.stage in {"whole", "open fence"}) for b in reversed(blocks)]
    return [_joined(blocks), *single] if len(blocks) > 1 else single


def _joined(blocks: Sequence[CodeBlock]) -> _Program:
    span = blocks[0].span[0], blocks[-1].span[1]
    return _Program("\n\n".join(block.code for block in blocks), span, blocks[-1].stage == "open fence")


def _sources(program: _Program, asked: Prompt) -> Iterator[str]:
    code = program.code
    if len(code) > LONGEST:
        yield code  # so long that it is taken as it is
        return
    for text in [code, *(_trimmed(code) if program.loose and parsed(code) is None else ())]:
        tree = parsed(text)
        if tree is not None and defines(tree, asked.entry_point):
            yield _behind_prelude(text, tree, asked.prelude)
            yield from _without_examples(tree, asked.prelude)
            return
    yield from _completions(program, asked)
    tree = parsed(code)
    if tree is not None and not program.loose:
        yield _behind_prelude(code, tree, asked.prelude)


def _completions(program: _Program, asked: Prompt) -> Iterator[str]:
    """The prompt with the code as the body of its last function."""
    if not asked.open:
        return
    code = program.code
    indent = asked.indent
    bodies = [code, indent + code, textwrap.indent(textwrap.dedent(code), indent)]
    bodies.append(textwrap.indent(textwrap.dedent(f"{indent}{code}"), indent))
    for body in bodies:
        joined = asked.completed_by(body)
        if joined is None and program.loose:
            joined = next(filter(None, map(asked.completed_by, _shortened(body))), None)
        if joined is not None:
            yield joined
            return


def _trimmed(code: str) -> Iterator[str]:
    """The text from its first line of code, as far as it is Python: prose around code without a fence."""
    first = _CODE_LINE.search(code)
    if first is not None:
        text = code[first.start() :]
        yield from itertools.chain([text], _shortened(text))


def _shortened(text: str) -> Iterator[str]:
    """The text without its last lines, one more each time."""
    lines = text.split("\n") if len(text) <= _LONGEST_TRIM else []
    for end in range(len(lines) - 1, max(0, len(lines) - 1 - _MOST_TRIMS), -1):
        yield "\n".join(lines[:end]) + "\n"


def _behind_prelude(code: str, tree: ast.Module, prelude: str) -> str:
    """The code with what the prompt gives before it; imports from the future stay first."""
    if not prelude:
        return code
    future = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    if not future:
        return f"{prelude}\n\n{code}"
    lines = code.split("\n")
    last = future[-1].end_lineno or 1
    return "\n".join([*lines[:last], prelude, *lines[last:]])


def _without_examples(tree: ast.Module, prelude: str) -> Iterator[str]:
    """The definitions alone, if there is more: example calls that wait for input must not break a function."""
    kept = [node for node in tree.body if _is_definition(node)]
    if kept and len(kept) < len(tree.body):
        alone = ast.Module(kept, [])
        try:
            code = ast.unparse(alone)
        except RecursionError:
            return
        yield _behind_prelude(code, ast.parse(code), prelude)


def _is_definition(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        called = (getattr(call.func, "id", "") for call in ast.walk(node) if isinstance(call, ast.Call))
        return "input" not in called
    if isinstance(node, ast.If | ast.Try | ast.With):
        inner = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
        return any(isinstance(part, inner) for part in node.body)
    return isinstance(
        node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    )
