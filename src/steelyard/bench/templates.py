"""Prompts with the columns of a row set in: ``Question: {question}``.

Only the template is read for fields: braces in the data are text. A brace in the template itself is written twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, SpecError
from steelyard.registry import nearest

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_STEP = re.compile(r"\[([^\[\]]+)\]|\.([^.\[\]]+)")
_HEAD = re.compile(r"[^.\[\]]+")
_FILES = (".txt", ".md", ".prompt")
_MISSING = object()


class Field(msgspec.Struct, frozen=True):
    """A place in a template: the column, and the steps into it (``{choices[0]}``, ``{person.name}``)."""

    source: str
    column: str
    steps: tuple[str, ...] = ()


class Template(msgspec.Struct, frozen=True):
    """A text with fields; ``parts`` are its texts and its fields in order.

    >>> Template.parse("Q: {question}\\nReply as {{x}}.").render({"question": "{1}?"})
    'Q: {1}?\\nReply as {x}.'
    """

    source: str
    parts: tuple[str | Field, ...]

    @classmethod
    def parse(cls, source: str, *, path: str = "prompt") -> Template:
        """The template, or a SpecError that says which of its braces cannot be read."""
        parts: list[str | Field] = []
        end = 0
        for found in _PIECE.finditer(source):
            parts.append(source[end : found.start()])
            parts.append(_piece(found, source, path))
            end = found.end()
        parts.append(source[end:])
        return cls(source, tuple(part for part in parts if part != ""))

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields in their order."""
        return tuple(part for part in self.parts if isinstance(part, Field))

    def render(self, columns: Mapping[str, Any], written: Mapping[str, str] | None = None) -> str:
        """The text with the row set in; a DataError names what the row lacks."""
        return "".join(self._rendered(columns, written or {}))

    def _rendered(self, columns: Mapping[str, Any], written: Mapping[str, str]) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            elif part.source in written:
                yield written[part.source]
            else:
                yield text_of(_value(part, columns), part.source)


def _piece(found: re.Match[str], source: str, path: str) -> str | Field:
    text = found[0]
    if text in {"{{", "}}"}:
        return text[0]
    line = source.count("\n", 0, found.start()) + 1
    name = found[1]
    if name is None:
        raise SpecError(
            f"line {line}: a single {text!r}; a brace that is text is written twice", path=path
        )
    if not name.strip() or name[0] in "\"'" or ":" in name or "!" in name or "\n" in name:
        raise SpecError(
            f"line {line}: {text!r} names no column; braces that are text are written twice, {{{{ and }}}}",
            path=path,
        )
    return _field(name, f"line {line}: {text!r}", path)


def _field(name: str, where: str, path: str) -> Field:
    head = _HEAD.match(name)
    if head is None:
        raise SpecError(f"{where} names no column", path=path)
    rest, steps = name[head.end() :], []
    while rest:
        step = _STEP.match(rest)
        if step is None:
            raise SpecError(
                f"{where} cannot be read; write {{column}}, {{column[0]}} or {{column.key}}",
                path=path,
            )
        steps.append(step[1] or step[2])
        rest = rest[step.end() :]
    return Field(name, head[0], tuple(steps))


def _value(field: Field, columns: Mapping[str, Any]) -> Any:
    if field.source in columns:  # a column may have a dot or a bracket in its name
        return columns[field.source]
    if field.column not in columns:
        known = ", ".join(columns) or "none"
        hint = nearest(field.column, columns) or f"; it has {known}"
        raise DataError(
            f"the prompt names {{{field.source}}}, and the row has no column {field.column!r}{hint}"
        )
    value = columns[field.column]
    for step in field.steps:
        value = _stepped(value, step)
        if value is _MISSING:
            raise DataError(
                f"the prompt names {{{field.source}}}, and the row has no {step!r} there"
            )
    return value


def _stepped(value: Any, step: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(step, _MISSING)
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    return _MISSING


def text_of(value: Any, name: str) -> str:
    """A value of a row as text: text as it is, anything else as JSON.

    >>> text_of(["a", 1], "x")
    '["a",1]'
    """
    if isinstance(value, str):
        return value
    if value is None:
        raise DataError(f"the column {name!r} is null in this row")
    return msgspec.json.encode(value).decode()


def read_text(given: str | Path, base: Path, *, path: str) -> str:
    """The text itself, or what stands in the file that it names (``prompt.txt``), looked for from ``base``."""
    if isinstance(given, str) and (
        given.strip() != given or not given.endswith(_FILES) or set(given) & set("{}\n ")
    ):
        return given
    file = base / given
    try:
        return file.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as wrong:
        why = getattr(wrong, "strerror", None) or "it is not UTF-8"
        raise SpecError(f"{file} cannot be read: {why}", path=path) from None
