"""The code in a response: its fenced blocks, or the whole text where there is no fence."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from steelyard.extract.found import Found, Trace
from steelyard.registry import EXTRACTORS
from steelyard.text.late import late
from steelyard.text.visible import cuts, without

_LARGEST = 10_000_000
_FARTHEST = 20_000
_MOST_FENCES = 20
# A fence opens its line, after a list mark or a quote mark at most, or ends a line of prose.
_OPEN = late(
    r"^(?P<lead>[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)?)(?:(?P<ticks>`{3,})(?P<info>[^`\r\n]*)"
    r"|(?P<tildes>~{3,})(?P<about>[^\r\n]*))(?=\r?$)"
    r"|(?<=[^`\s])[ \t]*(?P<late>`{3,})(?P<word>[A-Za-z][\w+#.-]{0,30})[ \t]*(?=\r?$)",
    re.MULTILINE,
)
_INLINE = late(
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
    """All blocks of code in the response, in order; reasoning and a run-on are left aside.

    Without any fence, the whole visible text is the one block; a blank text has none.

    >>> code_blocks("~~~python\\nprint(1)\\n~~~")[0]
    CodeBlock(code='print(1)', language='python', span=(10, 18), closed=True, stage='fence')
    >>> code_blocks("print(1)")[0].stage
    'whole'
    """
    if not isinstance(text, str) or len(text) > _LARGEST:
        return ()
    shown = without(text, [cut for cut in cuts(text) if not cut.why.startswith("run-on")])
    blocks = _fenced(shown)
    end = _run_on(shown, blocks)
    blocks = [block for block in blocks if block.span[0] <= end]
    if not blocks:
        blocks = [_inline(match) for match in _INLINE.finditer(shown, 0, end) if match[2].strip()]
    return tuple(blocks or _whole(text, shown[:end]))


@EXTRACTORS.register("code")
def find_code(text: str, *, trace: Trace | None = None) -> Found | None:
    """The code that is the answer: the last block that is not empty and does not merely show output.

    >>> find_code("Here:\\n```python\\ndef add(a, b):\\n    return a + b\\n```").value
    'def add(a, b):\\n    return a + b'
    """
    blocks = [block for block in code_blocks(text) if block.code.strip()]
    if not blocks:
        if trace is not None:
            trace.add("code", "nothing found: the response has no code in it")
        return None
    best = next((block for block in reversed(blocks) if block.language not in _SHOWN), blocks[-1])
    if trace is not None:
        named = f" marked {best.language}" if best.language else ""
        trace.add(best.stage, f"took the last of {len(blocks)} block(s) of code{named}", best.span)
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
    """The fence that closes the block: one that is indented further than its opening belongs to the content.

    Unless the next block would open before that: then somebody has merely indented a closing fence.
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
    """The content with plain line ends, without the indentation, or the quote mark, that its fence had."""
    lines = content.replace("\r\n", "\n").split("\n")
    quoted = lead.lstrip().startswith(">")
    width = len(lead)
    if quoted:
        lines = [re.sub(r"^[ \t]*>[ ]?", "", line) for line in lines]
    elif width:
        lines = [line[min(width, len(line) - len(line.lstrip(" \t"))) :] for line in lines]
    return "\n".join(lines)


def _language(info: str) -> str:
    """The first word of the info string, without the braces and dots that some writers add."""
    words = re.split(r"[\s,{}:=]+", info.strip("{}. \t"), maxsplit=1)
    return words[0].strip(".").lower()


def _run_on(shown: str, blocks: list[CodeBlock]) -> int:
    """Where the text runs on into a new question; a question inside a block of code is code."""
    blanked = shown
    if any("\n" in block.code or ":" in block.code for block in blocks):
        pieces, place = [], 0
        for block in blocks:
            pieces += [shown[place : block.span[0]], "x" * (block.span[1] - block.span[0])]
            place = block.span[1]
        blanked = "".join([*pieces, shown[place:]])
    return next((cut.span[0] for cut in cuts(blanked) if cut.why.startswith("run-on")), len(shown))


def _inline(match: re.Match[str]) -> CodeBlock:
    return CodeBlock(match[2].strip(), match[1] or "", match.span(2), True, "inline")


def _whole(text: str, shown: str) -> list[CodeBlock]:
    code = shown.strip()
    if not code:
        return []
    start = shown.index(code)
    end = start + len(code)
    # The first line keeps its indentation, for a bare function body depends on it; blanked reasoning is none.
    first = shown.rfind("\n", 0, start) + 1
    if not text[first:start].strip():
        start = first
    return [CodeBlock(shown[start:end].replace("\r\n", "\n"), "", (start, end), False, "whole")]
