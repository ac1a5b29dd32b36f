"""The one JSON value that is the answer, among prose, fences and stray braces."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from steelyard.extract.code import code_blocks
from steelyard.extract.found import Found, Trace
from steelyard.extract.json_scan import json_spans
from steelyard.registry import EXTRACTORS
from steelyard.text.late import late
from steelyard.text.visible import reasoning, unquoted, visible, without

MAX_DEPTH = 200
MAX_CHARS = 4_000_000
_LABELS = frozenset({"json", "jsonc", "json5", "jsonl", "application/json"})
_OFFERED = late(r"[}\]][\s`*]{0,3}(?:\bor\b|/)[\s`*]{0,3}\Z", re.IGNORECASE)  # {"a": 1} or {"a": 2}
_BLANK = " \t\r\n\ufeff"


class _RefusedError(ValueError):
    """The text is not JSON, or not JSON that can be kept."""


def extract_json(text: str) -> Any:
    """The JSON value that is the answer in the text, or None.

    >>> extract_json('Sure! {"answer": "42"} as in [1].')
    {'answer': '42'}
    >>> extract_json("no value here")
    """
    found = find_json(text)
    return None if found is None else found.value


@EXTRACTORS.register("json")
def find_json(text: str, *, trace: Trace | None = None) -> Found | None:
    """The JSON value that is the answer, where it stands, and by which stage it was found.

    The whole text if it is JSON; else the last fenced block that is, one marked as JSON first; else the
    last object, or array with objects, in the prose; else the last other array. An empty one comes last.

    >>> find_json('```json\\n[{"a": 1}]\\n```').stage
    'fence'
    """
    if not isinstance(text, str) or len(text) > MAX_CHARS:
        _note(trace, f"nothing found: the response is no text of at most {MAX_CHARS} characters")
        return None
    if "\n>" in text:
        text = unquoted(text)  # in JSON no line begins with that mark
    shown = visible(text)
    found = _across(text, len(shown), trace) if len(shown) < len(text) else None
    found = found or _first(text, shown, trace)
    if (
        found is not None
        and found.stage == "prose"
        and _OFFERED.search(text, max(0, found.span[0] - 12), found.span[0])
    ):
        _note(trace, "nothing found: two values are offered")
        return None
    if found is None:
        _note(trace, "nothing found: no JSON value stands in the response")
    return found


def _across(text: str, end: int, trace: Trace | None) -> Found | None:
    """The value that what would end the text stands in: in one of its strings it ends nothing."""
    found = _first(text, without(text, reasoning(text)), trace)
    return found if found and found.span[0] < end < found.span[1] else None


def _first(text: str, shown: str, trace: Trace | None) -> Found | None:
    for stage, span in _candidates(text, shown):
        try:
            value = _parse(text[slice(*span)])
        except _RefusedError as refused:
            if trace is not None and stage != "whole":
                trace.add(stage, f"passed over: {refused}", span)
            continue
        if stage in {"whole", "fence"} or isinstance(value, (dict, list)):
            if trace is not None:
                trace.add(stage, f"found {type(value).__name__}", span)
            return Found(value, span, stage)
    return None


def _note(trace: Trace | None, note: str) -> None:
    if trace is not None:
        trace.add("json", note)


def _candidates(text: str, shown: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Where the answer may stand, the best place first."""
    # A text that is JSON from end to end is taken as it stands, whatever its strings look like.
    yield "whole", _trim(text, 0, len(text))
    if len(shown.strip(_BLANK)) == 0:
        return
    if shown != text:
        yield "whole", _trim(shown, 0, len(shown))
    if "```" in shown or "~~~" in shown:
        blocks = [block for block in reversed(code_blocks(text)) if block.stage in {"fence", "open fence"}]
        labelled = [block for block in blocks if block.language in _LABELS]
        for block in labelled:
            yield "fence", _trim(shown, *block.span)
        for block in blocks:
            if block not in labelled:
                yield "unmarked fence", _trim(shown, *block.span)
    yield from (("prose", span) for span in _ranked(shown))


_CITATION = late(r"\[\d{1,3}\]")  # [1] and [2] in one text are marks of its sources


def _ranked(shown: str) -> list[tuple[int, int]]:
    """The values in the prose: objects and arrays of them, other arrays, empty ones; later ones first."""
    spans = list(json_spans(shown))
    cited = [span for span in spans if _CITATION.fullmatch(shown, *span)]
    if len(cited) > 1:
        spans = [span for span in spans if span not in cited]
    return sorted(spans, key=lambda span: (_rank(shown, span), -span[0]))


def _rank(shown: str, span: tuple[int, int]) -> int:
    start, end = span
    if not shown[start + 1 : end - 1].strip():
        return 2
    return 0 if shown[start] == "{" or shown.find("{", start, end) >= 0 else 1


def _trim(shown: str, start: int, end: int) -> tuple[int, int]:
    inner = shown[start:end]
    left = len(inner) - len(inner.lstrip(_BLANK))
    return (start + left, start + len(inner.rstrip(_BLANK))) if left < len(inner) else (start, start)


def _parse(text: str) -> Any:
    """The value of strict JSON; NaN, a number beyond floats, and too deep a nesting are refused."""
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise _RefusedError(f"nested deeper than {MAX_DEPTH}") from None
    except ValueError as refused:
        raise _RefusedError(str(refused)) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _deeper(value, MAX_DEPTH):
        raise _RefusedError(f"nested deeper than {MAX_DEPTH}")
    return value


def _deeper(value: Any, limit: int) -> bool:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        children = (
            child for parent in level for child in (parent.values() if isinstance(parent, dict) else parent)
        )
        level = [child for child in children if isinstance(child, (dict, list))]
    return bool(level)


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits[:40]} is beyond what a float can hold")
    return number


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=_finite)
