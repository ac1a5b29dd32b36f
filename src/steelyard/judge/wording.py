"""The prompts and the words that a judge's replies are read by: files beside this one."""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.errors import SpecError

_FIELD = re.compile(r"\{\{([A-Za-z_]\w*)\}\}|\{([A-Za-z_]\w*)\}")


@functools.cache
def prompt_text(name: str) -> str:
    """The text of a prompt file.

    >>> "{marker}" in prompt_text("fence")
    True
    """
    file = importlib.resources.files("steelyard.judge") / "prompts" / f"{name}.txt"
    return file.read_text(encoding="utf-8").strip()


@functools.cache
def words() -> Mapping[str, Any]:
    """The tables of words, by name."""
    file = importlib.resources.files("steelyard.judge") / "words.json"
    found: Mapping[str, Any] = msgspec.json.decode(file.read_bytes())
    return found


def field_names(template: str) -> tuple[str, ...]:
    """The fields that a template asks for, each once, in order.

    >>> field_names('{"a": 1} {question} {{literal}} {question} {column}')
    ('question', 'column')
    """
    return tuple(dict.fromkeys(match[2] for match in _FIELD.finditer(template) if match[2]))


def fill(template: str, fields: Mapping[str, object]) -> str:
    """The template with its fields filled in; other braces, and those in the data, are left alone.

    ``{{name}}`` stands for ``{name}`` itself. A field that is not there is a SpecError.

    >>> fill('{"score": 1} {question} {{x}}', {"question": "Why {this}?"})
    '{"score": 1} Why {this}? {x}'
    """

    def value(match: re.Match[str]) -> str:
        if match[1]:
            return "{" + match[1] + "}"
        if match[2] not in fields:
            raise SpecError(
                f"there is no field {{{match[2]}}}; there are {', '.join(sorted(fields))}",
                path="rubric",
            )
        return _text(fields[match[2]])

    return _FIELD.sub(value, template)


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
