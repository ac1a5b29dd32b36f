"""The code in a response: its fenced blocks, or the whole text where there is no fence."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from steelyard.reading.cuts import cut, new_tasks
from steelyard.reading.found import Found, Trace
from steelyard.reading.marks import lower
from steelyard.registry import EXTRACTORS

_LARGEST = 10_000_000
_FARTHEST = 20_000
_MOST_FENCES = 20
# A fence opens its line, after a list mark or a quote mark at most, or ends a line of prose.
_OPEN = re.compile(
    r"^(?P<lead>[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)?)"
    r"(?:(?P<ticks>`{3,})(?P<info>[^`\r\n]*)"
    r"|(?P<tildes>~{3,})(?P<about>[^\r\n]*))(?=\r?$)"
    r"|(?<=[^`\s])[ \t]*(?P<late>`{3,})(?P<word>[A-Za-z][\w+#.-]{0,30})[ \t]*(?=\r?$)",
    re.MULTILINE,
)
_INLINE = re.compile(
    r"(?<!`)```(?!`)(?:(python3?|py|json|javascript|js|bash|sh)[ \t]+)?([^`\n]+)```(?!`)"
)
# Blocks that show what a program prints are not the program.
_SHOWN = frozenset({"text", "txt", "output", "plaintext", "plain", "console", "stdout", "log"})


class CodeBlock(NamedTuple):
    """One block of code; ``span`` is where its content stands verbatim in the response.

    ``code`` has plain line ends and lacks the indentation of its fence. ``stage`` is ``fence``,
    ``open fence`` (never closed), ``inline`` or ``whole`` (there was no fence at all).
    """

    code: str
    language: str
    span: tuple[int, int]
    closed: bool
    stage: str


def code_blocks(text: str) -> tuple[CodeBlock, ...]:
    """Return the blocks of code in a response, in order, without reasoning and run-on text.

    Without any fence, the whole visible text is the one block; a blank text has none.

    >>> code_blocks("~~~python\\nprint(1)\\n~~~")[0]
    CodeBlock(code='print(1)', language='python', span=(10, 18), closed=True, stage='fence')
    >>> code_blocks("print(1)")[0].stage
    'whole'
    """
    if not isinstance(text, str) or len(text) > _LARGEST:
        return ()
    shown = cut(text)
    blocks = _fenced(shown)
    end = _run_on(shown, blocks)
    blocks = [block for block in blocks if block.span[0] <= end]
    if not blocks:
        blocks = [_inline(match) for match in _INLINE.finditer(shown, 0, end) if match[2].strip()]
    return tuple(blocks or _whole(text, shown[:end]))


@EXTRACTORS.register("code", version="2")
def find_code(text: str, *, trace: Trace | None = None) -> Found | None:
    """Find the code that is the answer: the last block with content that is not program output.

    >>> find_code("Here:\\n```python\\ndef add(a, b):\\n    return a + b\\n```").value
    'def add(a, b):\\n    return a + b'
    """
    blocks = [block for block in code_blocks(text) if block.code.strip()]
    if not blocks:
        if trace is not None:
            trace.add("code", "missing: no code")
        return None
    best = next((block for block in reversed(blocks) if block.language not in _SHOWN), blocks[-1])
    if trace is not None:
        named = f" marked {best.language}" if best.language else ""
        trace.add(
            "code", f"found: {best.stage}, the last of {len(blocks)} blocks{named}", best.span
        )
    return Found(best.code, best.span, best.stage)


def _fenced(shown: str) -> list[CodeBlock]:
    blocks: list[CodeBlock] = []
    place = 0
    while opened := _OPEN.search(shown, place):
        fence = opened["ticks"] or opened["tildes"] or opened["late"]
        info = (opened["info"] or opened["about"] or opened["word"] or "").strip()
        start = shown.find("\n", opened.end()) + 1 or len(shown)
        closed = _closing(shown, start, fence, opened["lead"] or "")
        end = closed.start() if closed else len(shown)
        blocks.append(
            _block(shown, (start, end), info, opened["lead"] or "", fence if not closed else "")
        )
        place = closed.end() if closed else len(shown)
    return blocks


def _closing(shown: str, start: int, fence: str, lead: str) -> re.Match[str] | None:
    """Return the fence that closes a block.

    One that is indented further than its opening belongs to the content, unless the next block
    would open before another one closes this.
    """
    closing = re.compile(
        rf"^(?P<lead>[ \t>]*){re.escape(fence[0])}{{{len(fence)},}}[ \t]*\r?$", re.MULTILINE
    )
    near = len(lead.expandtabs(4)) + 4
    first = closing.search(shown, start)
    if first is None or len(first["lead"].expandtabs(4)) < near:
        return first
    fences = _OPEN.finditer(shown, first.end(), first.end() + _FARTHEST)
    for other in itertools.islice(fences, _MOST_FENCES):
        if len((other["lead"] or "").expandtabs(4)) >= near:
            continue
        closed = closing.match(shown, other.start())
        return first if closed is None else closed
    return first


def _block(shown: str, span: tuple[int, int], info: str, lead: str, unclosed: str) -> CodeBlock:
    start, end = span
    if unclosed:
        end = start + len(shown[start:end].rstrip())
        # Some writers put the closing fence behind the last statement.
        if end - start >= len(unclosed) and shown.endswith(unclosed, start, end):
            end, unclosed = end - len(unclosed), ""
    elif end > start:
        end -= 2 if shown.endswith("\r\n", start, end) else 1
    stage = "open fence" if unclosed else "fence"
    return CodeBlock(
        _outdent(shown[start:end], lead), _language(info), (start, end), not unclosed, stage
    )


def _outdent(content: str, lead: str) -> str:
    """Return content with plain line ends, without the indentation or quote mark of its fence."""
    lines = content.replace("\r\n", "\n").split("\n")
    quoted = lead.lstrip().startswith(">")
    width = len(lead)
    if quoted:
        lines = [re.sub(r"^[ \t]*>[ ]?", "", line) for line in lines]
    elif width:
        lines = [line[min(width, len(line) - len(line.lstrip(" \t"))) :] for line in lines]
    return "\n".join(lines)


def _language(info: str) -> str:
    """Return the first word of the info string, without braces and dots."""
    words = re.split(r"[\s,{}:=]+", info.strip("{}. \t"), maxsplit=1)
    return words[0].strip(".").lower()


def _run_on(shown: str, blocks: list[CodeBlock]) -> int:
    """Return where a new task starts, outside of blocks and after the first one."""
    for task in new_tasks(lower(shown)):
        inside = any(block.span[0] <= task < block.span[1] for block in blocks)
        if not inside and (not blocks or blocks[0].span[1] <= task):
            return task
    return len(shown)


def _inline(match: re.Match[str]) -> CodeBlock:
    return CodeBlock(match[2].strip(), match[1] or "", match.span(2), True, "inline")


def _whole(text: str, shown: str) -> list[CodeBlock]:
    code = shown.strip()
    if not code:
        return []
    start = shown.index(code)
    end = start + len(code)
    # The first line keeps its indentation, which a bare function body needs.
    first = shown.rfind("\n", 0, start) + 1
    if not text[first:start].strip():
        start = first
    return [CodeBlock(shown[start:end].replace("\r\n", "\n"), "", (start, end), False, "whole")]
