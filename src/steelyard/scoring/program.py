"""What was handed in as a program: a source, or several files of which one is the program."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

import msgspec

from steelyard.grading.files import clashes
from steelyard.grading.language import languages
from steelyard.primitives.values import describe
from steelyard.reading.code_blocks import code_blocks

_FENCES = ("```", "~~~")
# A file of this name, whatever its language's suffix, is the program among several.
_MAIN = ("program", "main", "solution")
_MOST_FILES, _MOST_BYTES = 200, 4 * 1024 * 1024
_LONGEST_NAME = 200


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """The source, and the files that go with it; ``name`` is that of the source among them."""

    source: str
    name: str = ""
    others: tuple[tuple[str, str], ...] = ()


def read_program(got: Any, language: str) -> Program | str:
    """The program, or one sentence on why what was handed in is none; never an exception.

    >>> read_program("```python\\nprint(1)\\n```", "python").source
    'print(1)'
    >>> read_program({"main.py": "import tool", "tool.py": "x = 1"}, "python").others
    (('tool.py', 'x = 1'),)
    >>> read_program(7, "python")
    'expected source code or an object of files, got 7'
    """
    if isinstance(got, str):
        return _text(got) or Program(source=_unwrapped(str(got)))
    if isinstance(got, Mapping) and got:
        return _files(got, language)
    return f"expected source code or an object of files, got {describe(got)}"


def _text(text: str) -> str:
    """What is wrong with a source, if anything is."""
    if not text.strip():
        return "there is no program: the text is blank"
    if len(text) > _MOST_BYTES:
        return f"the program has more than {_MOST_BYTES:,} characters"
    if "\0" in text or (not text.isascii() and text != text.encode("utf-8", "replace").decode()):
        return "the program holds what is no text"
    return ""


def _unwrapped(text: str) -> str:
    """The code in the fence, where a fence is the first thing in the text; a fence further on belongs to the code."""
    if not text.lstrip().startswith(_FENCES):
        return text
    blocks = [block.code for block in code_blocks(text)]
    return "\n\n".join(blocks) if blocks else text


def _files(got: Mapping[Any, Any], language: str) -> Program | str:
    if len(got) > _MOST_FILES or sum(str(name).count("/") for name in got) > 2 * _MOST_FILES:
        return (
            f"{len(got):,} files were handed in, in many folders perhaps; {_MOST_FILES} are allowed"
        )
    found: dict[str, str] = {}
    for name, text in got.items():
        if not isinstance(name, str) or not _stays_inside(name):
            return f"{describe(name)} cannot be the name of a file"
        if not isinstance(text, str):
            return f"the file {describe(name)} is {describe(text)}, not a text"
        found[str(name)] = str(text)
    if clash := next((name for name in found if clashes(name, found)), None):
        return f"{describe(clash)} is both a file and a folder"
    if sum(map(len, found.values())) > _MOST_BYTES:
        return f"the files have more than {_MOST_BYTES:,} characters"
    main = _main(found, language)
    if main is None:
        suffix = PurePosixPath(languages()[language].file).suffix
        return f"no file is the program: it has to be named {' or '.join(name + suffix for name in _MAIN)}"
    wrong = next((why for text in found.values() if text and (why := _odd(text))), "") or _text(
        found[main]
    )
    others = tuple((name, text) for name, text in found.items() if name != main)
    return wrong or Program(source=found[main], name=main, others=others)


def _odd(text: str) -> str:
    return _text(text) if text.strip() else ""


def _stays_inside(name: str) -> bool:
    path = PurePosixPath(name)
    inside = (
        bool(path.parts) and not path.is_absolute() and ".." not in path.parts and str(path) == name
    )
    return inside and name.isprintable() and name.isascii() and len(name) <= _LONGEST_NAME


def _main(found: Mapping[str, str], language: str) -> str | None:
    if len(found) == 1:
        return next(iter(found))
    suffix = PurePosixPath(languages()[language].file).suffix
    return next((name for stem in _MAIN if (name := stem + suffix) in found), None)


def as_one_source(program: Program) -> str:
    """One Python source that puts the other files beside itself before it runs as the program."""
    if not program.others:
        return program.source
    template = (files("steelyard") / "data" / "several_files.py.txt").read_text(encoding="utf-8")
    return template.format(others=dict(program.others), name=program.name, source=program.source)
