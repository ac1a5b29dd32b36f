"""Find the JSON value that is the answer, among prose, fences and stray braces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any, NoReturn

from steelyard.reading.code_blocks import code_blocks
from steelyard.reading.cuts import blanked, cuts, new_tasks
from steelyard.reading.found import Found, Trace
from steelyard.reading.json_spans import json_spans
from steelyard.reading.marks import last_marks, lower
from steelyard.reading.outcome import MARKED
from steelyard.reading.rules import region
from steelyard.registry import EXTRACTORS
from steelyard.score import writable as writable_text

WHOLE = "the whole response"
JSON_FENCE = "a fenced block marked as JSON"
MAX_DEPTH = 200
MAX_CHARS = 4_000_000
Span = tuple[int, int]
_LABELS = frozenset({"json", "jsonc", "json5", "jsonl", "application/json"})
_KEY = '"answer"'
# Markdown's mark of a quoted line; no line of JSON begins with it.
_QUOTE = re.compile(r"(?m)^[ \t]{0,3}(?:>[ \t]?)+")
_WHITE = " \t\r\n\ufeff"
# Bounds for hostile texts.
_MOST_MARKS, _MOST_BLOCKS = 100, 1_000
# Long numbers, exponents and halves of surrogate pairs may need another form to be stored.
_ODD = re.compile(r"[0-9][0-9.]{15}|[eE][+-]?[0-9]{2}|\\u[dD]|[\ud800-\udfff]")
# A number so short, and without an exponent, is always the shortest way to write its float.
_SHORT = 16


class _RefusedError(ValueError):
    """A text is not JSON, or it is JSON that is not accepted, such as NaN."""

    def __init__(self, why: str, *, is_json: bool = False) -> None:
        super().__init__(why)
        self.is_json = is_json


def extract_json(text: str) -> Any:
    """Return the JSON value that is the answer in a text, or None.

    A number is a float, or an exact Decimal where no float has the decimals that are written.

    >>> extract_json('Sure! {"answer": "42"} as in [1].')
    {'answer': '42'}
    >>> extract_json("no value here")
    """
    found = find_json(text)
    return None if found is None else found.value


@EXTRACTORS.register("json", version="2")
def find_json(text: str, *, trace: Trace | None = None) -> Found | None:
    """Find the JSON value that is the answer.

    In this order: the whole text; the value right after the last mark; the last fenced block, one
    marked as JSON first; the last object, or array with objects, in the prose; the last other
    array; an empty one.

    >>> find_json('```json\\n[{"a": 1}]\\n```').stage
    'a fenced block marked as JSON'
    >>> find_json('Answer: {"a": 1}\\nFor example, {"a": 0} has none.').value
    {'a': 1}
    """
    if not _is_readable(text):
        if trace is not None:
            trace.add("json", f"missing: not a text of at most {MAX_CHARS} characters")
        return None
    found: Found | None = None
    for value in _values(text, trace):
        if value.value not in ({}, []) or value.stage in {WHOLE, MARKED}:
            found = value
            break
        found = found or value
    if trace is not None:
        note = f"found: {found.stage}" if found else "missing: no JSON value"
        trace.add("json", note, found.span if found else None)
    return found


def _values(text: str, trace: Trace | None) -> Iterator[Found]:
    """Yield the values that the places of a text hold, the best one first."""
    for rule, span, written in _places(text):
        try:
            value = parse(written)
        except _RefusedError as refused:
            if trace is not None and (rule != WHOLE or refused.is_json):
                trace.add("json", f"{rule}: refused: {refused}", span)
            continue
        if rule in {WHOLE, JSON_FENCE} or isinstance(value, (dict, list)):
            yield Found(value, span, rule)


def why_none(text: str) -> str:
    """Say why the JSON of a text is not accepted; an empty string where it has none.

    >>> why_none('{"a": NaN}'), why_none("no")
    ('NaN is not JSON', '')
    """
    for _, _, written in _places(text) if _is_readable(text) else ():
        try:
            parse(written)
        except _RefusedError as refused:
            if refused.is_json:
                return str(refused)
    return ""


def _is_readable(text: object) -> bool:
    return isinstance(text, str) and len(text) <= MAX_CHARS


def _places(text: str) -> Iterator[tuple[str, Span, str]]:
    """Yield the rule, the place and the text of each possible value, the best one first."""
    for rule, span in _whole(text):
        yield rule, span, text[slice(*span)]
    if "\n>" in text:
        text = _QUOTE.sub(lambda mark: " " * len(mark[0]), text)
    visible, masked = _visible(text)
    for rule, span in (*_whole(visible), *_parts(visible, masked)):
        yield rule, span, visible[slice(*span)]


def _whole(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the place of a text that is not blank."""
    if text.strip(_WHITE):
        yield WHOLE, _trimmed(text, 0, len(text))


def _parts(text: str, masked: str) -> Iterator[tuple[str, Span]]:
    """Yield the places of values inside a text."""
    spans = json_spans(text)
    end = _run_on(text, spans)
    text, masked, spans = text[:end], masked[:end], [span for span in spans if span[1] <= end]
    if (marked := _marked(text, spans)) is not None:
        yield MARKED, marked
    yield from _fenced(masked)
    for span in sorted(spans, key=lambda span: (_rank(text, span), -span[0])):
        yield "the last value in the text", span


def _run_on(text: str, spans: list[Span]) -> int:
    """Return where a new task starts, if a marked value stands before it."""
    for end in new_tasks(lower(text)):
        before = [span for span in spans if span[1] <= end]
        if _marked(text[:end], before) or any(_KEY in text[start:stop] for start, stop in before):
            return end
    return len(text)


def _visible(text: str) -> tuple[str, str]:
    """Blank what is not read; a tag inside a JSON string is text, and masked in the second text."""
    if "<" not in text:
        return text, text
    pieces, done = [], 0
    for start, end in json_spans(text):
        pieces += [text[done:start], text[start:end].replace("<", "\0")]
        done = end
    masked = "".join([*pieces, text[done:]])
    parts = cuts(masked)
    return blanked(text, parts), blanked(masked, parts)


def _marked(text: str, spans: list[Span]) -> Span | None:
    """Return the value right after the last mark that has one; a JSON key is not a mark here."""
    if not spans:
        return None
    known = dict(spans)
    for mark in islice(last_marks(lower(text), len(text)), _MOST_MARKS):
        if mark.kind != "key" and (start := region(text, mark)[0]) in known:
            return start, known[start]
    return None


def _fenced(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the fenced blocks, those that are marked as JSON first, later ones first."""
    if "```" not in text and "~~~" not in text:
        return
    found = (block for block in reversed(code_blocks(text)) if "fence" in block.stage)
    blocks = [block for block in islice(found, _MOST_BLOCKS) if block.code]
    for block in blocks:
        if block.language in _LABELS:
            yield JSON_FENCE, _trimmed(text, *block.span)
    for block in blocks:
        if block.language not in _LABELS:
            yield "a fenced block", _trimmed(text, *block.span)


def _rank(text: str, span: Span) -> int:
    """Rank objects and arrays of them before other arrays, and these before empty values."""
    start, end = span
    if not text[start + 1 : end - 1].strip():
        return 2
    return 0 if text[start] == "{" or text.find("{", start, end) >= 0 else 1


def _trimmed(text: str, start: int, end: int) -> Span:
    """Return a span without outer white space."""
    inner = text[start:end]
    left = len(inner) - len(inner.lstrip(_WHITE))
    return start + left, start + max(left, len(inner.rstrip(_WHITE)))


def parse(text: str) -> Any:
    """Parse strict JSON; NaN, a number of very many digits, and too deep a nesting are refused."""
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise _RefusedError(f"nested deeper than {MAX_DEPTH}", is_json=True) from None
    except json.JSONDecodeError as refused:
        raise _RefusedError(str(refused)) from None
    except ValueError as refused:
        raise _RefusedError(str(refused), is_json=True) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
        raise _RefusedError(f"nested deeper than {MAX_DEPTH}", is_json=True)
    return value


def _is_deeper(value: Any, limit: int) -> bool:
    """Say whether arrays and objects are nested deeper than a limit."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        children = (
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
        )
        level = [child for child in children if isinstance(child, (dict, list))]
    return bool(level)


def exact_number(written: str) -> float | Decimal:
    """Return the float that has the written decimals, else a Decimal; ValueError if neither can.

    >>> exact_number("0.10"), exact_number("1e400")
    (0.1, Decimal('1E+400'))
    """
    near = float(written)
    if len(written) <= _SHORT and "e" not in written and "E" not in written:
        return near
    try:
        exact = Decimal(written)
    except InvalidOperation:
        raise ValueError(f"the number {written[:40]} is too large") from None
    return near if Decimal(repr(near)) == exact else exact


def writable(value: Any, written: str) -> Any:
    """Return a value as JSON can store it: a number that no float can hold becomes its digits.

    >>> writable({"a": Decimal("1e400")}, '{"a": 1e400}'), writable([1], "[1]")
    ({'a': '1E+400'}, [1])
    """
    return _as_stored(value) if _ODD.search(written) else value


def _as_stored(value: Any) -> Any:
    if isinstance(value, dict):
        return {writable_text(name): _as_stored(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_as_stored(inner) for inner in value]
    if isinstance(value, str):
        return writable_text(value)
    return str(value) if isinstance(value, Decimal) else value


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"the number {digits[:40]}… has {len(digits)} digits") from None


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=exact_number, parse_int=_integer)
